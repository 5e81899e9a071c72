/** One table as this browser sees it, kept up to date by the server. Nothing here decides a rule: the server says what is legal. */
import { Live, type Connection, type Given } from '../api/live'
import { merged } from '../api/merge'
import type { CommandName, FromServer, GameEvent, Notice, Position, SeatFacts, TableState } from '../api/types'
import { keep, keptFor, seenIn } from './chance'
import { moves } from './prefs.svelte'
import { revealIn, type Reveal } from './reveal'

export type News = (events: GameEvent[], before: TableState | null, after: TableState) => void

const MOST_EVENTS = 2_000
const MOST_HELD_BACK = 4 // updates; if the game runs away, the page catches up

type Update = FromServer & { type: 'update' }

export class Table {
  state = $state.raw<TableState | null>(null)
  events = $state.raw<GameEvent[]>([])
  connection = $state<Connection>('connecting')
  refusal = $state('') // why the server does not let us watch
  problem = $state('') // code of the last refusal
  spectators = $state(0) // people who watch without a seat
  notice = $state.raw<Notice | null>(null) // what the server says besides the game
  /** Cards that are being turned up: until the last one has turned, the table stays as it was. */
  reveal = $state.raw<Reveal | null>(null)
  private heldBack: Update[] = [] // updates that would tell how it ends
  private asking = $state(0) // requests in flight
  private cursor: number | null = null // our position in the stream of events
  private readonly live: Live
  private readonly listeners = new Set<News>()
  private plan: string[] = [] // decisions still to be sent, one after the other
  private answered = $state<number | null>(null) // the question that our last decision answered
  private isDeciding = false
  private shown = '' // the commitment whose number we have shown

  constructor(readonly id: string) {
    this.live = new Live(id, {
      cursor: () => this.cursor,
      message: (message) => this.heard(message),
      changed: (connection, code = '') => {
        if (connection === 'live' && this.connection === 'connecting') this.spectators = 0 // if there are any, the server says so next
        this.connection = connection
        this.refusal = code
      },
    })
  }

  /** Also true between the server's acknowledgement and the update that follows it: the old question is answered. */
  get busy(): boolean {
    return this.asking > 0 || (this.answered !== null && this.answered === this.position?.question)
  }

  get position(): Position | null {
    return this.state?.position ?? null
  }

  get you(): number | null {
    return this.state?.you ?? null
  }

  /** The viewer's own seat in the game. */
  get own(): SeatFacts | null {
    return this.you === null ? null : (this.position?.seats[String(this.you)] ?? null)
  }

  get legal(): string[] {
    return this.position?.legal ?? []
  }

  get isAsked(): boolean {
    return this.position?.question !== undefined
  }

  /** Called after each change, with the events that led to it, until you call the function it returns. */
  onNews(listener: News): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** One decision, or several in a row, without those that the rules force on the way. */
  async decide(...decisions: string[]): Promise<void> {
    if (this.isDeciding) return // a second click on the same thing
    this.plan = decisions
    await this.next()
  }

  async undo(): Promise<void> {
    this.plan = []
    this.answered = null
    await this.ask('undo', { question: this.position?.question ?? 0 })
  }

  /** Asks the server for something; false if it refused, and `problem` says why. */
  async ask<Name extends CommandName>(type: Name, ...given: Given<Name>): Promise<boolean> {
    this.asking += 1
    this.problem = ''
    try {
      await this.live.send(type, ...given)
      return true
    } catch (error) {
      this.problem = (error as { code?: string }).code ?? 'failed'
      return false
    } finally {
      this.asking -= 1
    }
  }

  /** The last card has turned: everything may be told now. */
  endReveal(): void {
    const waiting = this.heldBack
    this.heldBack = []
    this.reveal = null
    const [first, ...rest] = waiting
    if (first) this.apply(first)
    for (const message of rest) this.update(message)
  }

  close(): void {
    this.live.close()
  }

  /** Sends the next decision of the plan, once the next question has arrived. */
  private async next(): Promise<void> {
    const question = this.position?.question
    if (this.isDeciding || question == null || question === this.answered) return
    while (this.plan.length > 0 && !this.legal.includes(this.plan[0]!)) this.plan.shift()
    const decision = this.plan.shift()
    if (decision === undefined) return
    this.isDeciding = true
    this.answered = question
    if (!(await this.ask('decide', { question, decision }))) {
      this.plan = []
      this.answered = null
    }
    this.isDeciding = false
    if (this.plan.length > 0) await this.next()
  }

  private heard(message: FromServer): void {
    if (message.type === 'snapshot') {
      this.heldBack = []
      this.reveal = null
      this.take(message.cursor, message.state, message.recent, true)
    }
    if (message.type === 'update') this.update(message)
    if (message.type === 'spectators') this.spectators = message.count
    if (message.type === 'notice') this.notice = message
  }

  /** Nothing tells an outcome before its moment: an update with cards to turn waits, and so do those after it. */
  private update(message: Update): void {
    if (this.reveal) {
      this.heldBack.push(message)
      if (this.heldBack.length > MOST_HELD_BACK) this.endReveal()
      return
    }
    const reveal = moves() && !document.hidden ? revealIn(message.events) : null
    if (!reveal) {
      this.apply(message)
      return
    }
    this.heldBack = [message]
    this.reveal = reveal
  }

  /** If an update does not follow what we have, or we now see the table from another seat, load everything again. */
  private apply(message: Update): void {
    const state = message.state ?? (merged(this.state, message.patch ?? {}) as TableState)
    if (message.after !== this.cursor || (state.you ?? null) !== this.you) {
      this.cursor = null
      this.live.again()
      return
    }
    this.take(message.cursor, state, message.events, false)
  }

  private take(cursor: number, state: TableState, events: GameEvent[], isFresh: boolean): void {
    const before = isFresh ? null : this.state
    this.cursor = cursor
    this.state = state
    this.events = isFresh ? events : [...this.events, ...events].slice(-MOST_EVENTS)
    for (const listener of this.listeners) listener(isFresh ? [] : events, before, state)
    void this.showNumber(state)
    if (this.plan.length > 0) void this.next()
  }

  /** It is settled who plays, and the table asks for the numbers: show ours, and remember what everybody had promised by then. */
  private async showNumber(state: TableState): Promise<void> {
    const kept = keptFor(state.chance?.commitments[state.you ?? ''])
    if (kept && !kept.table) keep({ ...kept, table: state.table })
    if (!kept || !state.chance?.until || this.shown === kept.commitment) return
    this.shown = kept.commitment
    const seen = kept.seen ?? seenIn(state)
    keep({ ...kept, table: state.table, seen })
    try {
      await this.live.send('reveal', { number: kept.number })
      keep({ ...kept, table: state.table, seen, taken: true })
    } catch {
      // too late: the table says so, and the number is left out
    }
  }
}
