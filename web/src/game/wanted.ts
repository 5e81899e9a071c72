/** Which colours the viewer's open tickets still want: those of the routes to claim on their cheapest ways, as the compass has them. */
import type { RouteFacts, SeatFacts } from '../api/types'
import type { Game } from '../state/games.svelte'

export interface Wanted {
  /** Spaces still to be paid for in this colour. */
  spaces: number
  /** The longest of these routes. */
  route: RouteFacts
}

export function wantedColours(game: Game, own: SeatFacts | undefined): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const route of routesToClaim(game, own)) {
    if (!game.facts.colours.includes(route.colour)) continue
    const before = wanted.get(route.colour)
    wanted.set(route.colour, { spaces: (before?.spaces ?? 0) + route.length, route: before && before.route.length >= route.length ? before.route : route })
  }
  return wanted
}

function routesToClaim(game: Game, own: SeatFacts | undefined): RouteFacts[] {
  const open = Object.values(own?.compass ?? {}).filter(({ state }) => state === 'open')
  const routes = new Set(open.flatMap(({ free }) => free ?? []))
  return [...routes].map((route) => game.routes.get(route)!)
}
