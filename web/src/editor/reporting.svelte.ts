/** The report of the board: begun, looked at while games are played, stopped. It goes on while another tab of the panel is open. */
import { Refused } from '../api/http'
import type { components } from '../api/schema'
import { language } from '../i18n/i18n.svelte'
import { between, type Document } from './document'
import type { Editing } from './editing.svelte'
import { ask } from './requests'

export type Report = components['schemas']['Report']
export type Finding = components['schemas']['Finding']
export const GAMES = [1_000, 10_000, 100_000, 1_000_000] as const
const EVERY = 1_000 // milliseconds between looks; the server ends a run at which nobody looks

export class Reporting {
  report = $state.raw<Report | null>(null)
  /** The code with which the server has refused something. */
  refused = $state('')
  games = $state<number>(10_000)
  /** 0: all numbers that the board allows. */
  players = $state(0)
  isAsking = $state(false)
  private timer: ReturnType<typeof setTimeout> | undefined
  private isClosed = false

  constructor(private readonly editing: Editing) {}

  isUnderWay = $derived(this.report?.state === 'preparing' || this.report?.state === 'playing')
  /** The board has changed since. */
  isOld = $derived.by(() => !!this.report?.revision && (this.editing.state !== 'saved' || this.report.revision !== this.editing.revision))

  look(): Promise<void> {
    return this.ask('GET')
  }

  stop(): Promise<void> {
    return this.ask('DELETE')
  }

  async begin(): Promise<void> {
    this.isAsking = true
    await this.editing.settle()
    await this.ask('POST', JSON.stringify({ games: this.games, players: this.players ? [this.players] : [] }))
    this.isAsking = false
  }

  private async ask(method: string, body?: string): Promise<void> {
    clearTimeout(this.timer)
    try {
      this.report = await ask<Report>(method, `/report?language=${language()}`, body)
      this.refused = ''
    } catch (error) {
      this.refused = error instanceof Refused ? error.code : 'failed'
    }
    clearTimeout(this.timer)
    if (this.isUnderWay && !this.isClosed) this.timer = setTimeout(() => void this.look(), EVERY)
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }
}

/** Where a finding's ticket or route stands in the document, if it is still there. */
export function indexOf({ place }: Finding, document: Document): number | undefined {
  if (!place) return undefined
  if (place.kind === 'route') return between(document, place.a, place.b)[place.track]
  const index = document.tickets.findIndex(({ a, b }) => (a === place.a && b === place.b) || (a === place.b && b === place.a))
  return index < 0 ? undefined : index
}
