/** What actions cost and bring, as far as the facts tell. */
import type { RouteFacts, SeatFacts } from '../api/types'
import type { Game } from '../state/games.svelte'

const CARDS_PER_SPACE = { pair: 2, single: 1 }

/** Cards for a route, before what a tunnel may add. */
export function cardsFor(route: RouteFacts): number {
  return route.length * (route.pair ? CARDS_PER_SPACE.pair : CARDS_PER_SPACE.single)
}

/** Points that the next building takes: a station that is not built keeps its points until the end. */
export function buildingLoss(game: Game): number {
  return game.building === 'station' ? (game.facts.unbuilt_station ?? 0) : 0
}

/** Cards for the next building: each station costs one more than the one before. Harbours cost the same each time, as the words tell. */
export function buildingCost(game: Game, seat: SeatFacts | null): number {
  return game.building === 'station' ? (game.facts.stations ?? 0) - (seat?.unbuilt ?? 0) + 1 : 0
}
