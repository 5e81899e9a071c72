/** Smooth lines along the spaces of a route. */
import type { Point, Space } from '../api/types'

/** From city to city through the middles of the spaces; a route over the edge has two halves, each beginning at its city. */
export function wayAlong(parts: Space[][], [a, b]: [Point, Point]): string {
  if (parts.length === 1) {
    const spaces = parts[0]!
    const isForward = distance(a, spaces[0]!) + distance(b, spaces.at(-1)!) <= distance(b, spaces[0]!) + distance(a, spaces.at(-1)!)
    return smooth(isForward ? [a, ...spaces, b] : [b, ...spaces, a])
  }
  return parts.map((spaces) => smooth([nearer(spaces[0]!, a, b), ...spaces])).join('')
}

export interface Leg {
  path: string
  spaces: number
}

/** Like `wayAlong`, but from the one city to the other, and each half by itself. */
export function legsFrom(parts: Space[][], from: Point, to: Point): Leg[] {
  const [first, last] = [...parts].sort((one, other) => near(one, from) - near(other, from))
  if (!last) return [{ path: smooth([from, ...towards(first!, to), to]), spaces: first!.length }]
  return [
    { path: smooth([from, ...awayFrom(first!, from)]), spaces: first!.length },
    { path: smooth([...towards(last, to), to]), spaces: last.length },
  ]
}

function near(spaces: Space[], point: Point): number {
  return Math.min(...spaces.map((space) => distance(space, point)))
}

/** The spaces in the order in which they lead to a point. */
function towards(spaces: Space[], point: Point): Space[] {
  return distance(spaces.at(-1)!, point) <= distance(spaces[0]!, point) ? spaces : [...spaces].reverse()
}

function awayFrom(spaces: Space[], point: Point): Space[] {
  return [...towards(spaces, point)].reverse()
}

function nearer(space: Point, a: Point, b: Point): Point {
  return distance(a, space) < distance(b, space) ? a : b
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** A Catmull-Rom curve through the points, as a path. */
export function smooth(points: Point[]): string {
  const at = (number: number): Point => points[Math.min(points.length - 1, Math.max(0, number))]!
  let path = `M${dotted(points[0]!)}`
  for (let number = 0; number + 1 < points.length; number++) {
    const [before, from, to, after] = [at(number - 1), at(number), at(number + 1), at(number + 2)]
    const first = { x: from.x + (to.x - before.x) / 6, y: from.y + (to.y - before.y) / 6 }
    const second = { x: to.x - (after.x - from.x) / 6, y: to.y - (after.y - from.y) / 6 }
    path += `C${dotted(first)} ${dotted(second)} ${dotted(to)}`
  }
  return path
}

function dotted({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}
