/** A part of a board: some cities and the routes between them, as a game of its own that the board's drawing can show. */
import type { Layout } from '../../../api/types'
import { Game } from '../../../state/games.svelte'

const WIDEST = 2.1 // the shape of the picture, width to height
const NARROWEST = 1.25

/** With `routes`, only those. */
export function partOf(game: Game, cities: string[], routes?: string[]): Game {
  const isThere = new Set(cities)
  const shown = game.facts.routes.filter(({ id, a, b }) => (routes ? routes.includes(id) : isThere.has(a) && isThere.has(b)))
  const facts = { ...game.facts, cities: game.facts.cities.filter(({ id }) => isThere.has(id)), routes: shown }
  return new Game(facts, { ...game.layout!, ...placesIn(game.layout!, isThere, new Set(shown.map(({ id }) => id))), edge: [] })
}

function placesIn(layout: Layout, cities: Set<string>, routes: Set<string>): Pick<Layout, 'cities' | 'routes'> {
  return {
    cities: Object.fromEntries(Object.entries(layout.cities).filter(([id]) => cities.has(id))),
    routes: Object.fromEntries(Object.entries(layout.routes).filter(([id]) => routes.has(id))),
  }
}

/** The shape of the picture, within what looks well beside text. */
export function shapeOf(part: Game): number {
  const spots = [...Object.values(part.layout!.cities), ...Object.values(part.layout!.routes).flatMap(({ spaces }) => spaces)]
  const extent = (at: number[]): number => Math.max(...at) - Math.min(...at) + 60
  return Math.min(WIDEST, Math.max(NARROWEST, extent(spots.map(({ x }) => x)) / extent(spots.map(({ y }) => y))))
}
