/** The games' pictures in a box of 260 × 160: `picture.json` in the folder of the board, if it has one. */

import { listingOf } from '../../state/games.svelte'

/** From x, y to x, y; the colour of its spaces, or `s0` … `s4` if a seat has claimed it; how far it bends sideways; whether it is at sea. */
type Line = readonly [x1: number, y1: number, x2: number, y2: number, colour: string, bend?: number, sea?: boolean]

/** Shores (Natural Earth, public domain), and a few routes between some cities. */
interface Picture {
  land: string
  beside?: string
  river?: string
  parks?: string
  lines: readonly Line[]
}

const files = import.meta.glob<Picture>('../../../../src/branchline/boards/*/picture.json', { import: 'default', eager: true })

/** Of a board from outside, what the server sends. */
export function pictureOf(game: string): Picture | undefined {
  return (listingOf(game)?.picture as Picture | undefined) ?? files[`../../../../src/branchline/boards/${game.replaceAll('-', '_')}/picture.json`]
}

interface Box {
  x: number
  y: number
  angle: number
  length: number
}

const END = 3.6 // kept free for a city at each end
const GAP = 1.5
const USUAL = 9.5

/** Spaces of a route: boxes along a slightly bent line. */
export function spacesOf([x1, y1, x2, y2, , bend = 0]: Line): Box[] {
  const distance = Math.hypot(x2 - x1, y2 - y1)
  const room = distance - 2 * END
  const count = Math.max(1, Math.round(room / (USUAL + GAP)))
  const length = room / count - GAP
  return Array.from({ length: count }, (_, number) => {
    const along = (END + ((number + 0.5) * room) / count) / distance
    return { ...pointOf([x1, y1], [x2, y2], bend, along), length }
  })
}

/** A point of the quadratic curve whose middle is `bend` off the straight line, and its direction in degrees. */
function pointOf(a: [number, number], b: [number, number], bend: number, along: number): Omit<Box, 'length'> {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const distance = Math.hypot(dx, dy)
  const aside = 4 * bend * along * (1 - along)
  const turn = (4 * bend * (1 - 2 * along)) / distance
  const [nx, ny] = [-dy / distance, dx / distance]
  return {
    x: a[0] + dx * along + nx * aside,
    y: a[1] + dy * along + ny * aside,
    angle: (Math.atan2(dy + ny * turn * distance, dx + nx * turn * distance) * 180) / Math.PI,
  }
}
