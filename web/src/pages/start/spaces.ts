/** Spaces of a route in a game's picture: boxes along a slightly bent line. */
import type { Line } from './scenes'

export interface Box {
  x: number
  y: number
  angle: number
  length: number
}

const END = 3.6 // kept free for a city at each end
const GAP = 1.5
const USUAL = 9.5

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

/** A point of the quadratic curve whose middle lies `bend` aside, and its direction in degrees. */
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
