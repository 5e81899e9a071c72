/** Routes as they are drawn in the editor: straight, between the cities where they lie, each track with its spaces in pixels. */
import type { Point, Space } from '../api/types'
import type { Document, Route } from './document'

export interface Track {
  index: number
  route: Route
  from: Point
  to: Point
  spaces: Space[]
}

export const WIDTH = 9 // of a space
const TRIM = 11 // pixels between a city's middle and the first space
const GAP = 2
const BESIDE = 6.2 // pixels of each of two tracks from the middle between them
const LONGEST = 56
export const SHORTEST = 9 // pixels of a space below which only a line is drawn

export function tracksOf(document: Document, seen: Map<string, Point>): Track[] {
  const ways = new Map<string, number[]>()
  document.routes.forEach(({ a, b }, index) => {
    const way = [a, b].sort().join(' ')
    ways.set(way, [...(ways.get(way) ?? []), index])
  })
  return document.routes.flatMap((route, index) => {
    const [from, to] = [route.a, route.b].sort().map((city) => seen.get(city))
    const beside = ways.get([route.a, route.b].sort().join(' '))!
    return from && to ? [trackOf(index, route, from, to, (beside.indexOf(index) - (beside.length - 1) / 2) * 2 * BESIDE)] : []
  })
}

function trackOf(index: number, route: Route, a: Point, b: Point, offset: number): Track {
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const [dx, dy] = [(b.x - a.x) / far, (b.y - a.y) / far]
  const moved = ({ x, y }: Point, along: number): Point => ({ x: x + dx * along - dy * offset, y: y + dy * along + dx * offset })
  const room = Math.max(far - 2 * TRIM, 1)
  const pitch = Math.min(room / Math.max(route.length, 1), LONGEST)
  const begin = TRIM + (room - pitch * route.length) / 2
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI
  const spaces = Array.from({ length: route.length }, (_, one) => ({ ...moved(a, begin + pitch * (one + 0.5)), angle, length: Math.max(pitch - GAP, 2) }))
  return { index, route, from: moved(a, TRIM), to: moved(a, far - TRIM), spaces }
}

/** How far a point is from a track. */
export function distance({ from, to }: Track, at: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const share = Math.max(0, Math.min(1, ((at.x - from.x) * dx + (at.y - from.y) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(at.x - from.x - share * dx, at.y - from.y - share * dy)
}

/** How long a new route is likely to be: as long for its way as the middling one. */
export function likelyLength(document: Document, spots: Map<string, Point>, a: string, b: string, most: number): number {
  const far = (one: string, other: string): number => {
    const [from, to] = [spots.get(one), spots.get(other)]
    return from && to ? Math.hypot(from.x - to.x, from.y - to.y) : 0
  }
  const ratios = document.routes.map((route) => route.length / (far(route.a, route.b) || 1)).sort((one, other) => one - other)
  const usual = ratios[Math.floor(ratios.length / 2)]
  return usual === undefined ? Math.min(2, most) : Math.max(1, Math.min(most, Math.round(usual * far(a, b))))
}
