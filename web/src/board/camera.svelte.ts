/** The camera over the board: which part of it is visible, panned and zoomed within bounds. A transform moves the sheet; it is redrawn, crisp, only when it comes to rest.

The board's content (cities, names, spaces) is fitted into what panels leave free. The map goes on beneath the panels to the edges of the window. */
import type { Point } from '../api/types'
import { moves } from '../state/prefs.svelte'
import { boundsOf, freeOf, grown, NO_INSETS, type Insets, type Rect } from './insets'

/** Pixels per unit, and where the board's origin is in the window. */
export interface View extends Point {
  scale: number
}

type Range = [number, number]

const MOST = 4.5 // pixels per unit of the board
const READABLE = 0.8 // pixels per unit below which the whole board is too small to play on
const USEFUL = 1.3 // pixels per unit of the first view then, at most
const LEAST = 0.5 // of the whole board's scale, if little of the board is left uncovered then
const AROUND = { x: 48, y: 30 } // pixels around the places of the first view: names stand beside them
const REST = 180 // milliseconds without movement before the board is redrawn
const GLIDE = 420
const FADE = 210 // milliseconds in which a fling loses most of its speed
const SLOW = 0.2
const SLACK = 0.3 // of the free area by which the edge of a zoomed board can be pulled inwards

export class Camera {
  /** Pixels per unit in the latest drawing. */
  drawn = $state(1)
  /** Is part of the board out of view? */
  zoomed = $state(false)
  private view: View = { scale: 1, x: 0, y: 0 }
  private width = 0
  private height = 0
  private insets: Insets = NO_INSETS
  private interest: Point[] = [] // places of the first view; none shows all
  private covered: Insets | null = null // what covers the board then
  private held = false // fingers are on the board
  private touched = false // has the viewer panned or zoomed yet?
  private resting = 0
  private frame = 0
  private glide = 0

  /** `content`: what must stay in reach. */
  constructor(
    readonly content: Rect,
    private readonly apply: (view: View) => void,
  ) {}

  /** The window without what panels cover. */
  get free(): Rect {
    return freeOf(this.width, this.height, this.insets)
  }

  get size(): { width: number; height: number } {
    return { width: this.width, height: this.height }
  }

  get now(): View {
    return this.view
  }

  /** The view of the whole board. */
  get whole(): View {
    const { content, free, least: scale } = this
    return {
      scale,
      x: free.x - content.x * scale + 0.5 * (free.width - content.width * scale),
      y: free.y - content.y * scale + this.above * (free.height - content.height * scale),
    }
  }

  /** The smallest scale, at which the whole board is visible. */
  get least(): number {
    return Math.min(this.free.width / this.content.width, this.free.height / this.content.height) || 1
  }

  private get above(): number {
    return this.insets.above ?? 0.5
  }

  get canZoomOut(): boolean {
    return this.view.scale > this.least * 1.001
  }

  /** Panels that come or go only change how far the board can be panned; it stays where it is. */
  cover(insets: Insets): void {
    this.insets = insets
  }

  /** The window has a new size, or panels a new arrangement: the board is fitted again, unless the viewer has chosen another view. */
  resize(width: number, height: number): void {
    const middle = this.middle()
    const first = this.width === 0
    ;[this.width, this.height] = [width, height]
    if (first || !this.touched) this.open()
    else this.put(this.view.scale, middle)
    this.settle()
  }

  /** Where the first view lies, on a screen too small for the whole board, and what covers it meanwhile besides the panels. */
  attend(places: Point[], covered: Insets | null = null): void {
    const isNew = JSON.stringify([places, covered]) !== JSON.stringify([this.interest, this.covered])
    ;[this.interest, this.covered] = [places, covered]
    if (!isNew || !this.width || this.touched) return
    const [view, now] = [this.first(), this.view]
    if (Math.hypot(view.x - now.x, view.y - now.y) > 1 || Math.abs(view.scale - now.scale) > 1e-3) this.glideInto(view)
  }

  private open(): void {
    this.view = this.first()
  }

  /** All of the board if it is large enough, otherwise the interesting places, in what nothing covers. */
  private first(): View {
    const { whole, interest, insets } = this
    const free = freeOf(this.width, this.height, this.covered ?? insets)
    const isSeen = ({ x, y }: Point): boolean => isWithin({ x: x * whole.scale + whole.x, y: y * whole.scale + whole.y }, grown(free, -AROUND.y / 2))
    if (!interest.length || (this.least >= READABLE && (!this.covered || interest.every(isSeen)))) return whole
    const around = boundsOf(interest)
    const wanted = Math.min((free.width - 2 * AROUND.x) / around.width, (free.height - 2 * AROUND.y) / around.height)
    const scale = Math.min(Math.max(wanted, this.covered ? LEAST * this.least : this.least), Math.max(USEFUL, this.least))
    const [from, at] = [middleOf(around), middleOf(free)]
    const ranges = this.ranges(scale, free, 0) // no emptiness beyond the board, but for names at its very edge
    const across: Range = [free.x + AROUND.x - around.x * scale, free.x + free.width - AROUND.x - (around.x + around.width) * scale]
    const down: Range = [free.y + AROUND.y - around.y * scale, free.y + free.height - AROUND.y - (around.y + around.height) * scale]
    return { scale, x: within(within(at.x - from.x * scale, ...ranges.x), ...across), y: within(within(at.y - from.y * scale, ...ranges.y), ...down) }
  }

  fit(): void {
    this.touched = this.least < READABLE
    this.glideTo(this.least, middleOf(this.content))
  }

  /** To the first view. */
  back(): void {
    this.touched = false
    this.glideInto(this.first())
  }

  /** By a factor; the point at `at` (in pixels) stays where it is. */
  zoom(factor: number, at: Point = this.freeMiddle()): void {
    this.stop()
    const fixed = this.toBoard(at)
    const scale = this.bounded(this.view.scale * factor)
    this.view = { scale, x: at.x - fixed.x * scale, y: at.y - fixed.y * scale }
    this.bound()
    this.moved()
  }

  step(factor: number, at: Point = this.freeMiddle()): void {
    this.touched = true
    const scale = this.bounded(this.view.scale * factor)
    const fixed = this.toBoard(at)
    const middle = this.freeMiddle()
    this.glideTo(scale, { x: fixed.x + (middle.x - at.x) / scale, y: fixed.y + (middle.y - at.y) / scale })
  }

  /** Is it larger than at its first view? Then a double tap goes back. */
  get isClose(): boolean {
    return this.view.scale > Math.max(this.least, this.first().scale) * 1.6
  }

  pan(dx: number, dy: number): void {
    this.stop()
    this.shift(dx, dy)
    this.moved()
  }

  /** Let go in motion, at this speed in pixels per millisecond: it slows down to a stop. */
  fling(dx: number, dy: number): void {
    if (!moves() || Math.hypot(dx, dy) < SLOW) return
    clearTimeout(this.resting)
    let before = performance.now()
    const run = (now: number): void => {
      const passed = Math.min(32, Math.max(0, now - before))
      const fade = Math.exp(-passed / FADE)
      before = now
      this.shift(dx * passed, dy * passed)
      ;[dx, dy] = [dx * fade, dy * fade]
      this.apply(this.view)
      if (Math.hypot(dx, dy) > SLOW / 5) this.glide = requestAnimationFrame(run)
      else this.settle()
    }
    this.glide = requestAnimationFrame(run)
  }

  /** The board is not redrawn while it is held. */
  hold(held: boolean): void {
    this.held = held
    this.restSoon()
  }

  /** Move as little as possible so that all of these are visible, beside `covered`. While the first view waits for a sheet to go, that is not the viewer's doing. */
  show(points: Point[], covered: Insets | null = null, margin = 40): void {
    if (!points.length || !this.width) return
    const around = grown(boundsOf(points), margin)
    const free = freeOf(this.width, this.height, covered ?? this.insets)
    const scale = this.bounded(Math.min(this.view.scale, free.width / around.width, free.height / around.height))
    const half = { x: free.width / 2 / scale, y: free.height / 2 / scale }
    const aim = middleOf(free)
    const middle = this.toBoard(aim)
    const x = within(middle.x, around.x + around.width - half.x, around.x + half.x)
    const y = within(middle.y, around.y + around.height - half.y, around.y + half.y)
    if (scale === this.view.scale && Math.abs(x - middle.x) < 0.5 && Math.abs(y - middle.y) < 0.5) return
    this.touched ||= this.covered === null
    this.glideInto({ scale, x: aim.x - x * scale, y: aim.y - y * scale })
  }

  /** Glide, without zooming, until the point lies in the middle of what stays free beside `covered`. */
  centre(point: Point, covered: Insets = this.insets): void {
    if (!this.width) return
    const aim = middleOf(freeOf(this.width, this.height, covered))
    const { scale } = this.view
    this.touched = true
    this.glideInto({ scale, x: aim.x - point.x * scale, y: aim.y - point.y * scale })
  }

  /** From pixels of the window to units of the board. */
  toBoard({ x, y }: Point): Point {
    return { x: (x - this.view.x) / this.view.scale, y: (y - this.view.y) / this.view.scale }
  }

  toWindow({ x, y }: Point): Point {
    return { x: x * this.view.scale + this.view.x, y: y * this.view.scale + this.view.y }
  }

  /** This many pixels, in units of the board. */
  units(pixels: number): number {
    return pixels / this.view.scale
  }

  close(): void {
    this.stop()
    clearTimeout(this.resting)
    cancelAnimationFrame(this.frame)
  }

  private freeMiddle(): Point {
    return middleOf(this.free)
  }

  /** The point of the board in the middle of the free area. */
  private middle(): Point {
    return this.toBoard(this.freeMiddle())
  }

  private bounded(scale: number): number {
    return Math.min(Math.max(scale, this.least), Math.max(MOST, this.least))
  }

  private put(scale: number, middle: Point, isBound = true): void {
    const at = this.freeMiddle()
    const bounded = isBound ? this.bounded(scale) : scale
    this.view = { scale: bounded, x: at.x - middle.x * bounded, y: at.y - middle.y * bounded }
    if (isBound) this.bound()
  }

  private bound(): void {
    const { x, y } = this.ranges(this.view.scale)
    this.view = { ...this.view, x: within(this.view.x, ...x), y: within(this.view.y, ...y) }
  }

  /** A board that was brought beyond its bounds does not jump back; it only cannot go further. */
  private shift(dx: number, dy: number): void {
    const { scale, x, y } = this.view
    const ranges = this.ranges(scale)
    const along = (before: number, by: number, [least, most]: Range): number => within(before + by, Math.min(least, before), Math.max(most, before))
    this.view = { scale, x: along(x, dx, ranges.x), y: along(y, dy, ranges.y) }
  }

  /** Where the origin may be: content smaller than the free area rests in it, larger content leaves hardly a gap at its edges. */
  private ranges(scale: number, free: Rect = this.free, slack: number = SLACK): { x: Range; y: Range } {
    const { content } = this
    const loose = slack * Math.min(1, Math.max(0, scale / this.least - 1))
    const along = (start: number, size: number, from: number, room: number, before: number): Range => {
      const slack = room * loose
      const [first, last] = [from - start * scale, from + room - (start + size) * scale]
      const rest = first + before * (last - first)
      return size * scale <= room ? [rest - slack, rest + slack] : [last - slack, first + slack]
    }
    return { x: along(content.x, content.width, free.x, free.width, 0.5), y: along(content.y, content.height, free.y, free.height, this.above) }
  }

  private moved(): void {
    this.touched = true
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      this.apply(this.view)
      this.restSoon()
    })
  }

  /** Counted from the last frame shown, so that a slow machine does not redraw in the middle of a movement. */
  private restSoon(): void {
    clearTimeout(this.resting)
    if (!this.held) this.resting = window.setTimeout(() => this.settle(), REST)
  }

  private settle(): void {
    this.drawn = this.view.scale
    this.zoomed = this.canZoomOut
    this.view = { ...this.view, x: Math.round(this.view.x), y: Math.round(this.view.y) }
    this.apply(this.view)
  }

  private glideInto({ scale, x, y }: View): void {
    const at = this.freeMiddle()
    this.glideTo(scale, { x: (at.x - x) / scale, y: (at.y - y) / scale }, false)
  }

  private glideTo(scale: number, middle: Point, isBound = true): void {
    this.stop()
    const from = { scale: this.view.scale, ...this.middle() }
    const began = performance.now()
    const glide = (now: number): void => {
      const share = moves() ? Math.min(1, Math.max(0, (now - began) / GLIDE)) : 1
      const eased = 1 - (1 - share) ** 3
      const at = (one: number, other: number): number => one + (other - one) * eased
      this.put(from.scale * (scale / from.scale) ** eased, { x: at(from.x, middle.x), y: at(from.y, middle.y) }, isBound)
      this.apply(this.view)
      if (share < 1) this.glide = requestAnimationFrame(glide)
      else this.settle()
    }
    this.glide = requestAnimationFrame(glide)
  }

  private stop(): void {
    cancelAnimationFrame(this.glide)
  }
}

function middleOf({ x, y, width, height }: Rect): Point {
  return { x: x + width / 2, y: y + height / 2 }
}

function isWithin(point: Point, { x, y, width, height }: Rect): boolean {
  return point.x >= x && point.y >= y && point.x <= x + width && point.y <= y + height
}

/** The value, or the nearest one within the bounds. */
function within(value: number, least: number, most: number): number {
  return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, value))
}
