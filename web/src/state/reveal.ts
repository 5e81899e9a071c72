/** A tunnel's cards among the events of an update. */
import { isEvent, type GameEvent } from '../api/types'

export interface Reveal {
  seat: number
  route: string
  laid: string[]
  cards: string[]
  /** How many more cards it costs. */
  owed: number
  outcome: 'open' | 'claimed' | 'given up'
}

export function revealIn(events: GameEvent[]): Reveal | null {
  const at = events.findLastIndex((event) => event.event === 'tunnel_reveal')
  const turned = events[at]
  const lay = events.slice(0, at).findLast((event) => isEvent(event, 'tunnel_lay'))
  if (!turned || !isEvent(turned, 'tunnel_reveal') || !lay) return null
  return { seat: lay.seat, route: lay.route, laid: lay.cards, cards: turned.cards, owed: turned.owed, outcome: outcomeOf(events.slice(at), lay.route) }
}

function outcomeOf(events: GameEvent[], route: string): Reveal['outcome'] {
  if (events.some((event) => event.event === 'tunnel_abandon')) return 'given up'
  return events.some((event) => isEvent(event, 'claim') && event.route === route) ? 'claimed' : 'open'
}
