/** A part of a board: some cities and the routes between them, as a game of its own that the board's drawing can show. */
import type { Layout } from '../../../api/types'
import { Game } from '../../../state/games.svelte'

const WIDEST = 2.1 // the shape of the picture, width to height
const NARROWEST = 1.25
const MARGIN = 22 // units around dots and spaces, for rings and buildings
const FRAME = 'frame'

/** With `routes`, only those. */
export function partOf(game: Game, cities: string[], routes?: string[]): Game {
  const isThere = new Set(cities)
  const shown = game.facts.routes.filter(({ id, a, b }) => (routes ? routes.includes(id) : isThere.has(a) && isThere.has(b)))
  const facts = { ...game.facts, cities: game.facts.cities.filter(({ id }) => isThere.has(id)), routes: shown }
  const places = placesIn(game.layout!, isThere, new Set(shown.map(({ id }) => id)))
  return new Game(facts, { ...game.layout!, cities: places.cities, routes: { ...places.routes, [FRAME]: frameOf(places) }, edge: [] })
}

/** Spaces of no route: the board fits all that its layout has into the picture, so they leave a margin. */
function frameOf(places: Places): Layout['routes'][string] {
  const { left, right, top, bottom } = extentOf(places)
  const corners = [
    { x: left - MARGIN, y: top - MARGIN },
    { x: right + MARGIN, y: bottom + MARGIN },
  ]
  return { curves: [], spaces: corners.map((corner) => ({ ...corner, angle: 0, length: 0 })) }
}

type Places = Pick<Layout, 'cities' | 'routes'>

function placesIn(layout: Layout, cities: Set<string>, routes: Set<string>): Places {
  return {
    cities: Object.fromEntries(Object.entries(layout.cities).filter(([id]) => cities.has(id))),
    routes: Object.fromEntries(Object.entries(layout.routes).filter(([id]) => routes.has(id))),
  }
}

/** The shape of the picture, within what looks well beside text. */
export function shapeOf(part: Game): number {
  const { left, right, top, bottom } = extentOf(part.layout!)
  return Math.min(WIDEST, Math.max(NARROWEST, (right - left) / (bottom - top)))
}

function extentOf({ cities, routes }: Places): Record<'left' | 'right' | 'top' | 'bottom', number> {
  const spots = [...Object.values(cities), ...Object.values(routes).flatMap(({ spaces }) => spaces)]
  const [across, down] = [spots.map(({ x }) => x), spots.map(({ y }) => y)]
  return { left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down) }
}
