/** Which colours the viewer's open tickets still want: those of the routes on the shortest ways that join their places. */
import type { Position, RouteFacts } from '../api/types'
import { ownersOf } from '../replay/positions'
import type { Game } from '../state/games.svelte'

export interface Wanted {
  /** Spaces still to be paid for in this colour. */
  spaces: number
  /** The longest of these routes. */
  route: RouteFacts
}

export function wantedColours(game: Game, position: Position, you: number): Map<string, Wanted> {
  const own = position.seats[String(you)]
  const done = new Set(own?.done ?? [])
  const owners = ownersOf(position)
  const routes = new Set<RouteFacts>()
  for (const ticket of own?.held ?? []) {
    if (done.has(ticket)) continue
    const places = game.placesOf(ticket)
    places.slice(1).forEach((place, number) => shortestWay(game, owners, you, places[number]!, place).forEach((route) => routes.add(route)))
  }
  return byColour(game, routes)
}

function byColour(game: Game, routes: Set<RouteFacts>): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const route of routes) {
    if (!game.facts.colours.includes(route.colour)) continue
    const before = wanted.get(route.colour)
    wanted.set(route.colour, { spaces: (before?.spaces ?? 0) + route.length, route: before && before.route.length >= route.length ? before.route : route })
  }
  return wanted
}

/** The free routes on a way with the fewest spaces to claim; own routes cost nothing, those of others are closed. */
function shortestWay(game: Game, owners: Record<string, number>, you: number, from: string, to: string): RouteFacts[] {
  const reached = new Map<string, { spaces: number; by?: RouteFacts; before?: string }>([[from, { spaces: 0 }]])
  const open = new Set([from])
  while (open.size > 0) {
    const city = [...open].reduce((one, other) => (reached.get(other)!.spaces < reached.get(one)!.spaces ? other : one))
    open.delete(city)
    for (const route of game.facts.routes) {
      const next = route.a === city ? route.b : route.b === city ? route.a : undefined
      const owner = owners[route.id]
      if (next === undefined || (owner !== undefined && owner !== you)) continue
      const spaces = reached.get(city)!.spaces + (owner === you ? 0 : route.length)
      if (spaces >= (reached.get(next)?.spaces ?? Infinity)) continue
      reached.set(next, { spaces, by: route, before: city })
      open.add(next)
    }
  }
  const way: RouteFacts[] = []
  for (let at = reached.get(to); at?.by; at = reached.get(at.before!)) if (owners[at.by.id] === undefined) way.push(at.by)
  return way
}
