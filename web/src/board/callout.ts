/** Where a call-out can stand so that it hides no space, dot or name: in free water near what it speaks of. */
import type { Layout, Point } from '../api/types'
import type { View } from './camera.svelte'
import { grown, overlap, type Rect } from './insets'

/** A size that the call-out can take, in pixels. */
export interface Shape {
  width: number
  height: number
}

export interface Place extends Point {
  /** Which of the given shapes fits best. */
  shape: number
  /** How many spaces, dots and names it hides; 0 nearly always. */
  hides: number
  /** From the call-out to its subject, if that is near. */
  line: { from: Point; to: Point } | null
  /** Marks the subject where there is no line. */
  pin: Pin
}

/** A pin with its point on the subject. It stands above it, or hangs below it where it would hide a name or be cut. */
export interface Pin extends Point {
  hangs: boolean
}

/** Something on the screen that should stay visible. */
interface Obstacle extends Rect {
  weight: number
}

/** The box of a city's name. */
export interface Named extends Rect {
  city?: string
}

interface Wanted {
  view: View
  layout: Layout
  /** Boxes of the names that are shown, in pixels. */
  names: Named[]
  /** Cities that matter most now: what is asked is about them. */
  dear?: readonly string[]
  /** What panels leave of the window. */
  free: Rect
  /** Panels that stand within the free area. */
  avoid: Rect[]
  subject: Point
  shapes: Shape[]
  /** Pixels that must stay between the call-out and its subject. */
  gap?: number
}

const STEP = 8
const EDGE = 8 // pixels between something in a corner and the panels
const NEAR = 34
const FAR = 230 // pixels beyond which a line would be too long, and a pin stands on the subject
const SHORT = 12 // pixels before the subject at which the line ends
const HIDDEN = 260 // pixels of distance that one hidden thing is worth
const TOO_NEAR = 60
const BESIDE_NAME = 4 // pixels: its halo
const WEIGHTS = { space: 1, name: 1.5, dot: 2, dear: 30 }
const REACH = 11 // units around the middle of a space
const PIN = { width: 26, height: 38 }

export function placeFor(wanted: Wanted): Place | null {
  const { gap = NEAR } = wanted
  const obstacles = obstaclesOf(wanted)
  const pin = pinAt(wanted.subject, wanted.names)
  let best: Place | null = null
  let least = Infinity
  for (const [number, shape] of wanted.shapes.entries()) {
    const net = new Net(wanted.free, shape, obstacles)
    for (const [point, hides] of net.hides.entries()) {
      if (hides * HIDDEN >= least) continue
      const box = { x: net.x(point), y: net.y(point), ...shape }
      const away = distanceTo(box, wanted.subject)
      const cost = (hides + (away < gap ? TOO_NEAR : 0)) * HIDDEN + away
      if (cost >= least || wanted.avoid.some((panel) => overlap(panel, box))) continue
      const { x, y } = box
      ;[best, least] = [{ x, y, shape: number, hides, line: lineTo(wanted.subject, box), pin }, cost]
    }
  }
  return best
}

/** As near to the lower right corner of the free area as it hides nothing. */
export function inCorner(shape: Shape, around: Pick<Wanted, 'view' | 'layout' | 'names' | 'free'>): Point {
  const { x, y, width, height } = around.free
  const [subject, free] = [{ x: x + width, y: y + height }, { x: x + EDGE, y: y + EDGE, width: width - 2 * EDGE, height: height - 2 * EDGE }]
  const found = placeFor({ ...around, free, avoid: [], subject, shapes: [shape], gap: 0 })
  return found ?? { x: subject.x - shape.width - EDGE, y: subject.y - shape.height - EDGE }
}

/**
 * The places that a shape could take, on a net of points, and the weight of what it would hide at each. An obstacle is hidden from all points of a rectangle
 * of the net: its weight is noted at the corners, and summed up once for all points.
 */
class Net {
  readonly hides: Float64Array
  private readonly columns: number
  private readonly rows: number

  constructor(
    private readonly free: Rect,
    { width, height }: Shape,
    obstacles: Obstacle[],
  ) {
    this.columns = pointsOn(free.width - width)
    this.rows = pointsOn(free.height - height)
    this.hides = new Float64Array(this.columns * this.rows)
    for (const { x, y, weight, ...size } of obstacles) {
      const [left, right] = between(x - width - free.x, x + size.width - free.x)
      const [top, bottom] = between(y - height - free.y, y + size.height - free.y)
      this.note(left, top, weight)
      this.note(right, top, -weight)
      this.note(left, bottom, -weight)
      this.note(right, bottom, weight)
    }
    this.sumUp()
  }

  /** Of a point by its number. */
  x(point: number): number {
    return this.free.x + (point % this.columns) * STEP
  }

  y(point: number): number {
    return this.free.y + Math.floor(point / this.columns) * STEP
  }

  private note(column: number, row: number, weight: number): void {
    if (column < this.columns && row < this.rows) this.hides[row * this.columns + column]! += weight
  }

  private sumUp(): void {
    const { hides, columns } = this
    for (let point = 0; point < hides.length; point++) if (point % columns) hides[point]! += hides[point - 1]!
    for (let point = columns; point < hides.length; point++) hides[point]! += hides[point - columns]!
  }
}

function pointsOn(length: number): number {
  return Math.max(0, Math.floor(length / STEP) + 1)
}

/** The first point that lies between two values, and the first beyond them. */
function between(low: number, high: number): [number, number] {
  return [Math.max(0, Math.floor(low / STEP) + 1), Math.max(0, Math.ceil(high / STEP))]
}

function obstaclesOf({ view: { scale, x, y }, layout, names, free, dear = [] }: Wanted): Obstacle[] {
  const isDear = (city: string | undefined): boolean => city !== undefined && dear.includes(city)
  const weightOf = (city: string | undefined, usual: number): number => (isDear(city) ? WEIGHTS.dear : usual)
  const around = (point: Point, reach: number, weight: number): Obstacle => ({
    x: point.x * scale + x - reach,
    y: point.y * scale + y - reach,
    width: 2 * reach,
    height: 2 * reach,
    weight,
  })
  const spaces = Object.values(layout.routes).flatMap((route) => route.spaces.map((space) => around(space, REACH * scale, WEIGHTS.space)))
  const dots = Object.entries(layout.cities).map(([city, dot]) => around(dot, (layout.city_radius + 3) * scale, weightOf(city, WEIGHTS.dot)))
  const written = names.map(({ city, ...box }) => ({ ...(isDear(city) ? grown(box, BESIDE_NAME) : box), weight: weightOf(city, WEIGHTS.name) }))
  return [...spaces, ...dots, ...written].filter((obstacle) => overlap(obstacle, free))
}

function nearestOf({ x, y, width, height }: Rect, point: Point): Point {
  return { x: Math.min(x + width, Math.max(x, point.x)), y: Math.min(y + height, Math.max(y, point.y)) }
}

function distanceTo(box: Rect, point: Point): number {
  const nearest = nearestOf(box, point)
  return Math.hypot(nearest.x - point.x, nearest.y - point.y)
}

function lineTo(subject: Point, box: Rect): Place['line'] {
  const from = nearestOf(box, subject)
  const away = Math.hypot(subject.x - from.x, subject.y - from.y)
  if (away > FAR || away <= SHORT) return null
  const share = (away - SHORT) / away
  return { from, to: { x: from.x + (subject.x - from.x) * share, y: from.y + (subject.y - from.y) * share } }
}

function pinAt({ x, y }: Point, names: Rect[]): Pin {
  const hides = (top: number): boolean => names.some((name) => overlap(name, { x: x - PIN.width / 2, y: top, ...PIN }))
  return { x, y, hangs: y < PIN.height || (hides(y - PIN.height) && !hides(y)) }
}
