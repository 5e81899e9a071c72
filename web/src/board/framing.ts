/** What of a board must stay in reach, and how much of its map is drawn. */
import type { Layout, Point } from '../api/types'
import { boundsOf, grown, type Rect } from './insets'
import { labelOf } from './lettering'

const PLAIN = 30 // units around a board that has no picture of its map
const DOT = 7 // units around a dot or the middle of a space

/** The box around all cities, names and spaces. */
export function contentOf(layout: Layout, language: string): Rect {
  const spots = [...Object.values(layout.cities), ...Object.values(layout.routes).flatMap(({ spaces }) => spaces)]
  const names = Object.values(layout.cities).map((city) => labelOf(city, language))
  return boundsOf([...spots.flatMap((spot) => cornersOf(spot, DOT, DOT)), ...names.flatMap((name) => cornersOf(name, name.box[0] / 2, name.box[1] / 2))])
}

/** The part of the map that is drawn: more than the screen shows around the board. */
export function groundOf(layout: Layout): Rect {
  if (!layout.ground) return grown(boxOf(layout.view_box), PLAIN)
  return boxOf(layout.ground)
}

function boxOf([x, y, width, height]: [number, number, number, number]): Rect {
  return { x, y, width, height }
}

function cornersOf({ x, y }: Point, across: number, down: number): Point[] {
  return [
    { x: x - across, y: y - down },
    { x: x + across, y: y + down },
  ]
}
