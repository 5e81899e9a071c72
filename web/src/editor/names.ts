/** On which side of its city each name stands, so that as little as possible of the tracks, of other cities and their names lies in its way. */
import type { Point } from '../api/types'
import type { City } from './document'
import { SHORTEST, type Track } from './tracks'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Label {
  x: number
  y: number
  anchor: 'start' | 'middle' | 'end'
}

const [LETTER, HEIGHT, DOT] = [6.8, 15, 9] // pixels of a letter on average, of a line, and around a city's middle
const TRACK = 4 // pixels from the middle of a track to its side
const IN_ITS_PLACE = 40 // how bad it is to cover a city or a name, in pixels of a track covered
/** The first is the usual one. */
const SIDES: readonly Label[] = [
  { x: 10, y: 4, anchor: 'start' },
  { x: -10, y: 4, anchor: 'end' },
  { x: 0, y: -12, anchor: 'middle' },
  { x: 0, y: 21, anchor: 'middle' },
]

export function labelsOf(cities: readonly City[], seen: Map<string, Point>, tracks: readonly Track[]): Map<string, Label> {
  const places = cities.flatMap(({ id }) => seen.get(id) ?? [])
  const taken: Box[] = places.map(({ x, y }) => ({ left: x - DOT, top: y - DOT, right: x + DOT, bottom: y + DOT }))
  const found = new Map<string, Label>()
  for (const { id, name } of cities) {
    const at = seen.get(id)
    if (!at) continue
    const own = taken.find((box) => box.left === at.x - DOT && box.top === at.y - DOT)
    const tried = SIDES.map((label) => {
      const box = boxOf(label, at, name.length * LETTER)
      const covered = tracks.reduce((sum, track) => sum + inside(track, box), 0)
      return { label, box, bad: covered + IN_ITS_PLACE * taken.filter((other) => other !== own && touches(box, other)).length }
    })
    const best = tried.reduce((one, other) => (other.bad < one.bad ? other : one))
    taken.push(best.box)
    found.set(id, best.label)
  }
  return found
}

/** Of its spaces, or of the whole line where these are too small to be drawn. */
function endsOf({ from, to, spaces }: Track): [Point, Point] {
  const [first, last] = [spaces[0], spaces.at(-1)]
  if (!first || !last || first.length < SHORTEST) return [from, to]
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const [x, y] = [((to.x - from.x) / far) * (first.length / 2), ((to.y - from.y) / far) * (first.length / 2)]
  return [
    { x: first.x - x, y: first.y - y },
    { x: last.x + x, y: last.y + y },
  ]
}

function boxOf({ x, y, anchor }: Label, at: Point, width: number): Box {
  const left = at.x + x - (anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2)
  return { left, top: at.y + y - HEIGHT + 3, right: left + width, bottom: at.y + y + 3 }
}

function touches(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

/** How many pixels of a track's spaces lie in a box that is larger by half of their width. */
function inside(track: Track, { left, top, right, bottom }: Box): number {
  const [from, to] = endsOf(track)
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  let [begin, end] = [0, 1]
  for (const [at, step, low, high] of [
    [from.x, dx, left - TRACK, right + TRACK],
    [from.y, dy, top - TRACK, bottom + TRACK],
  ] as const) {
    if (step === 0 && (at < low || at > high)) return 0
    if (step === 0) continue
    const [one, other] = [(low - at) / step, (high - at) / step]
    begin = Math.max(begin, Math.min(one, other))
    end = Math.min(end, Math.max(one, other))
  }
  return begin < end ? (end - begin) * Math.hypot(dx, dy) : 0
}
