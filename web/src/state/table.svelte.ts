/** One table as this browser sees it, kept up to date by the server. Nothing here decides a rule: what is legal, the server says. */
import { Live, type Connection } from '../api/live'
import { merged } from '../api/merge'
import type { FromServer, GameEvent, Position, SeatFacts, TableState } from '../api/types'

export type News = (events: GameEvent[], before: TableState | null, after: TableState) => void

const MOST_EVENTS = 2_000

export class Table {
  state = $state.raw<TableState | null>(null)
  events = $state.raw<GameEvent[]>([])
  connection = $state<Connection>('connecting')
  refusal = $state('') // why the server does not let us look
  problem = $state('') // code of the last thing that the server did not do for us
  busy = $state(false) // a decision is on its way
  private number: number | null = null
  private readonly live: Live
  private readonly listeners = new Set<News>()
  private plan: string[] = []

  constructor(readonly id: string) {
    this.live = new Live(id, {
      number: () => this.number,
      message: (message) => this.heard(message),
      changed: (connection, code) => {
        this.connection = connection
        if (code) this.refusal = code
      },
    })
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

  /** Told after each change, with the events that led to it; the answer stops it. */
  onNews(listener: News): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** One decision, or several that follow each other; those that the rules make by themselves on the way are left out. */
  async decide(...decisions: string[]): Promise<void> {
    this.plan = decisions
    await this.next()
  }

  undo(): Promise<void> {
    this.plan = []
    return this.ask('undo', { number: this.position?.question })
  }

  async ask(type: string, fields: object = {}): Promise<void> {
    this.busy = true
    this.problem = ''
    try {
      await this.live.send(type, fields)
    } catch (error) {
      this.problem = (error as { code?: string }).code ?? 'failed'
      this.plan = []
    } finally {
      this.busy = false
    }
  }

  close(): void {
    this.live.close()
  }

  private async next(): Promise<void> {
    const legal = new Set(this.legal)
    while (this.plan.length > 0 && !legal.has(this.plan[0]!)) this.plan.shift()
    const decision = this.plan.shift()
    const question = this.position?.question
    if (decision === undefined || question === undefined) return
    await this.ask('decide', { number: question, decision })
  }

  private heard(message: FromServer): void {
    if (message.type === 'snapshot') this.take(message.number, message.state, message.recent as GameEvent[], true)
    if (message.type === 'update') this.update(message)
  }

  private update(message: FromServer & { type: 'update' }): void {
    if (this.number === null || message.after > this.number || (message.after < this.number && message.patch)) {
      this.number = null
      this.live.again()
      return
    }
    const fresh = (message.events as GameEvent[]).slice(Math.max(0, this.number - message.after))
    const state = message.state ?? (merged(this.state, message.patch ?? {}) as TableState)
    this.take(message.number, state, fresh, false)
  }

  private take(number: number, state: TableState, events: GameEvent[], isFresh: boolean): void {
    const before = isFresh ? null : this.state
    const asked = this.state?.position?.question
    this.number = number
    this.state = state
    this.events = isFresh ? events : withNews(this.events, events)
    for (const listener of this.listeners) listener(isFresh ? [] : events, before, state)
    if (this.plan.length > 0 && state.position?.question !== undefined && state.position.question !== asked) void this.next()
  }
}

/** With what is new; an `undo` makes the last so many events of the game void. */
function withNews(events: GameEvent[], news: GameEvent[]): GameEvent[] {
  return [...events, ...news].slice(-MOST_EVENTS)
}
