/** Which sounds an update makes. */
import { isEvent, isOfKind, type GameEvent, type SeatFacts, type TableState } from '../api/types'
import { completedBy } from '../game/compass'
import type { Game } from '../state/games.svelte'
import { bell, cutOff, end, setDown, slide, through, whistle } from './sounds'

const MOST_CARDS = 3 // that are heard of one update
const CARDS_APART = 0.12 // seconds

export function soundOf(game: Game, events: readonly GameEvent[], before: TableState | null, after: TableState): void {
  if (before === null) return
  if (before.status === 'playing' && after.status === 'finished') return end()
  const cards = events.filter((event) => isEvent(event, 'draw', 'take')).slice(0, MOST_CARDS)
  cards.forEach((_, place) => slide(place * CARDS_APART))
  const claim = events.findLast((event) => isEvent(event, 'claim'))
  if (claim) setDown(game.routes.get(claim.route)?.length ?? 1)
  if (claim && game.routes.get(claim.route)?.tunnel) through()
  if (events.some((event) => isOfKind(event, 'building'))) setDown(1)
  tellTickets(seatIn(before), seatIn(after))
  if (before.position?.question === undefined && after.position?.question !== undefined) bell()
}

function tellTickets(before: SeatFacts | undefined, after: SeatFacts | undefined): void {
  if (completedBy(before, after).length) whistle()
  else if (before?.compass && cuts(after) > cuts(before)) cutOff()
}

function cuts(own: SeatFacts | undefined): number {
  return Object.values(own?.compass ?? {}).filter(({ state }) => state === 'cut').length
}

function seatIn(state: TableState): SeatFacts | undefined {
  return state.you === undefined ? undefined : state.position?.seats[String(state.you)]
}
