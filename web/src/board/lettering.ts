/** Where names stand and how large: set in pixels of the screen at every zoom, beside their dots, never over each other.

Each name keeps the point of its box that is next to its dot. The layout gave every name room at its own size; where the screen needs it larger, names are placed by rank, and
those that would cover another name or a dot step back, as on any good map. */
import type { Label, Layout, Point } from '../api/types'
import type { View } from './camera.svelte'
import { overlap, type Rect } from './insets'
import { waypointLabel } from './waypointNames'

export interface Name {
  city: string
  label: Label
  dot: Point
  /** Those with a higher rank are placed first. */
  rank: number
  /** A city of one of my tickets. */
  isMine: boolean
  /** A junction at sea, which the layout leaves unnamed. */
  isWaypoint: boolean
}

/** A name on the screen: its anchor point and box in pixels. */
export interface Written {
  city: string
  x: number
  y: number
  box: Rect
  isShown: boolean
}

const LEAST = 13 // pixels
const LEAST_ON_PHONES = 12
const ROOMY = 12.3 / 12 // of the layout's size
const MOST = 17 // pixels at rest
const MOST_OF_HEIGHT = 1 / 56
const PER_DOUBLING = 4 // pixels more for each doubling of the zoom
const TIGHT = 0.94 // of a box's height is filled by letters
const BOLDER = 1.03 // how much wider the bold names of my cities are
const NEARLY = 1.04 // growth up to which the layout's own room is enough
const FAR_GROWN = 1.3 // growth from which names may reach other cities' dots
const BESIDE = 7 // pixels from a dot's middle to a name on another side of it
const PHONE = { width: 700, height: 500 }

/** The size of names in pixels, `rest` being the scale at which the whole board is visible. */
export function sizeOfNames(fontSize: number, scale: number, rest: number, window: { width: number; height: number }): number {
  const least = window.width < PHONE.width || window.height < PHONE.height ? LEAST_ON_PHONES : LEAST
  const most = Math.max(MOST, window.height * MOST_OF_HEIGHT) + Math.max(0, Math.log2(scale / rest)) * PER_DOUBLING
  return Math.max(least, Math.min(most, fontSize * ROOMY * scale))
}

/** Of the highest rank first: the order in which they are placed. `nameOf`: what a place is called where the layout has no name for it. */
export function namesOf(layout: Layout, language: string, mine: ReadonlySet<string>, routes: readonly { a: string; b: string }[], nameOf: (city: string) => string): Name[] {
  const degrees = new Map<string, number>()
  for (const { a, b } of routes) for (const city of [a, b]) degrees.set(city, (degrees.get(city) ?? 0) + 1)
  const all = Object.values(layout.cities).map((place) => labelOf(place, language))
  const names = Object.entries(layout.cities).map(([city, place]) => {
    const [isMine, printed] = [mine.has(city), labelOf(place, language)]
    const isWaypoint = printed.lines.length === 0
    const label = isWaypoint ? waypointLabel(place, nameOf(city), layout, all) : printed
    return { city, label, dot: place, isMine, isWaypoint, rank: (isMine ? 100 : 0) + (degrees.get(city) ?? 0) }
  })
  return names.sort((one, other) => other.rank - one.rank)
}

/** A place's name as it is drawn: English if the layout does not have the language. */
export function labelOf({ labels }: Layout['cities'][string], language: string): Label {
  return labels[language] ?? labels.en
}

/** `within`: where names are kept, if the whole board is in view. */
export function write(names: Name[], fontSize: number, size: number, view: View, within?: Rect): Written[] {
  const growth = size / (fontSize * view.scale)
  const dots = names.map(({ dot }) => inPixels(dot, view))
  const taken: Rect[] = []
  return names.map((name, number) => {
    const spots = spotsOf(name, growth, view).map((spot) => (within ? kept(spot, within) : spot))
    const isClear = ({ box }: Written): boolean => growth <= NEARLY || !taken.some((other) => overlap(other, box))
    const isOff = (spot: Written): boolean => (growth <= FAR_GROWN && spot === spots[0]) || isOffDots(spot)
    const isOffDots = ({ box }: Written): boolean => dots.every((dot, other) => other === number || !isWithin(dot, box))
    const found = spots.find((spot) => isClear(spot) && isOff(spot)) ?? (name.isMine ? spots.find(isClear) : undefined)
    if (found) taken.push(found.box)
    return found ?? { ...spots[0]!, isShown: false }
  })
}

/** Beside its dot where the layout puts it; where names are far larger than the layout planned, also on the other sides, and those of my cities as soon as they are larger at all. */
function spotsOf(name: Name, growth: number, view: View): Written[] {
  const planned = writtenAt(name, growth, view)
  if (growth <= (name.isMine ? NEARLY : FAR_GROWN)) return [planned]
  const { width, height } = planned.box
  const { x, y } = inPixels(name.dot, view)
  const [aside, above] = [width / 2 + BESIDE, height / 2 + BESIDE]
  const middles = [
    { x: x + aside, y },
    { x: x - aside, y },
    { x, y: y - above },
    { x, y: y + above },
  ]
  return [planned, ...middles.map((middle) => written(name, middle, width, height))]
}

/** Moved inwards where it would be cut off. */
function kept(spot: Written, { x, width }: Rect): Written {
  const inwards = Math.max(0, x - spot.box.x) - Math.max(0, spot.box.x + spot.box.width - x - width)
  return inwards ? { ...spot, x: spot.x + inwards, box: { ...spot.box, x: spot.box.x + inwards } } : spot
}

function writtenAt(name: Name, growth: number, view: View): Written {
  const { x, y, box } = grown(name.label, name.dot, growth)
  const [width, height] = [box[0] * view.scale * (name.isMine ? BOLDER : 1), box[1] * view.scale * TIGHT]
  return written(name, inPixels({ x, y }, view), width, height)
}

function written({ city, label }: Name, middle: Point, width: number, height: number): Written {
  const anchored = middle.x + { start: -0.5, middle: 0, end: 0.5 }[label.anchor ?? 'middle'] * width
  return { city, x: anchored, y: middle.y, box: { x: middle.x - width / 2, y: middle.y - height / 2, width, height }, isShown: true }
}

/** The point of the box nearest to the dot stays in place. */
function grown(label: Label, dot: Point, growth: number): Label {
  const [width, height] = label.box
  const away = (middle: number, at: number, half: number): number => {
    const fixed = Math.min(middle + half, Math.max(middle - half, at))
    return fixed + (middle - fixed) * growth
  }
  return { ...label, x: away(label.x, dot.x, width / 2), y: away(label.y, dot.y, height / 2), box: [width * growth, height * growth] }
}

function inPixels({ x, y }: Point, view: View): Point {
  return { x: x * view.scale + view.x, y: y * view.scale + view.y }
}

function isWithin({ x, y }: Point, box: Rect): boolean {
  return x > box.x - 3 && x < box.x + box.width + 3 && y > box.y - 3 && y < box.y + box.height + 3
}
