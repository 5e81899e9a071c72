/** One table as this browser sees it, kept up to date by the server. Nothing here decides a rule: the server says what is legal. */
import { Live, type Connection, type Given } from '../api/live'
import { merged } from '../api/merge'
import type { CommandName, FromServer, GameEvent, Position, SeatFacts, TableState } from '../api/types'

export type News = (events: GameEvent[], before: TableState | null, after: TableState) => void

const MOST_EVENTS = 2_000

export class Table {
  state = $state.raw<TableState | null>(null)
  events = $state.raw<GameEvent[]>([])
  connection = $state<Connection>('connecting')
  refusal = $state('') // why the server does not let us watch
  problem = $state('') // code of the last refusal
  private asking = $state(0) // requests in flight
  private cursor: number | null = null // our position in the stream of events
  private readonly live: Live
  private readonly listeners = new Set<News>()
  private plan: string[] = [] // decisions still to be sent, one after the other
  private answered = $state<number | null>(null) // the question that our last decision answered
  private isDeciding = false

  constructor(readonly id: string) {
    this.live = new Live(id, {
      cursor: () => this.cursor,
      message: (message) => this.heard(message),
      changed: (connection, code = '') => {
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
    if (message.type === 'snapshot') this.take(message.cursor, message.state, message.recent, true)
    if (message.type === 'update') this.update(message)
  }

  /** If an update does not follow what we have, or we now see the table from another seat, load everything again. */
  private update(message: FromServer & { type: 'update' }): void {
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
    if (this.plan.length > 0) void this.next()
  }
}
