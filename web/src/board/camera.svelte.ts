/** The camera over the board: which part of it is visible, panned and zoomed within bounds. A transform moves the sheet; it is redrawn, crisp, only when it comes to rest. */
import type { Point } from '../api/types'
import { moves } from '../state/prefs.svelte'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const MOST = 4.5 // pixels per unit of the board
const COMFORTABLE = 0.92 // pixels per unit at which a finger can easily hit a space
const NARROW = 620 // pixels: a phone
const REST = 180 // milliseconds without movement before the board is redrawn
const GLIDE = 240
const FADE = 210 // milliseconds in which a fling loses most of its speed
const SLOW = 0.2

export class Camera {
  /** Pixels per unit in the latest drawing. */
  drawn = $state(1)
  /** Is part of the board out of view? */
  zoomed = $state(false)
  /** Pixels between the window's edge and the whole board's. */
  margin = $state.raw<Point>({ x: 0, y: 0 })
  private scale = 1
  private x = 0 // where the sheet's corner is, in pixels
  private y = 0
  private width = 0
  private height = 0
  private held = false // fingers are on the board
  private touched = false // has the viewer panned or zoomed yet?
  private resting = 0
  private frame = 0
  private glide = 0

  constructor(
    readonly box: Box,
    private readonly apply: (transform: string) => void,
  ) {}

  /** The smallest scale, at which the whole board is visible. */
  get least(): number {
    return Math.min(this.width / this.box.width, this.height / this.box.height) || 1
  }

  get canZoomOut(): boolean {
    return this.scale > this.least * 1.001
  }

  resize(width: number, height: number): void {
    const middle = this.toBoard({ x: this.width / 2, y: this.height / 2 })
    const first = this.width === 0
    ;[this.width, this.height] = [width, height]
    this.margin = { x: (width - this.box.width * this.least) / 2, y: (height - this.box.height * this.least) / 2 }
    if (first || !this.touched) this.open()
    else this.put(this.scale, middle)
    this.settle()
  }

  /** A narrow window shows part of the board, large enough for fingers; others show all of it. */
  private open(): void {
    const high = this.height / this.box.height
    const scale = this.width < NARROW && this.least < COMFORTABLE * 0.75 && high > this.least * 1.2 ? Math.min(high, COMFORTABLE) : this.least
    this.put(scale, { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 })
  }

  fit(): void {
    this.touched = this.width < NARROW && this.least < COMFORTABLE * 0.75
    this.glideTo(this.least, { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 })
  }

  /** By a factor; the point at `at` (in pixels) stays where it is. */
  zoom(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    this.stop()
    const fixed = this.toBoard(at)
    this.scale = this.bounded(this.scale * factor)
    this.x = at.x - (fixed.x - this.box.x) * this.scale
    this.y = at.y - (fixed.y - this.box.y) * this.scale
    this.moved()
  }

  step(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    this.touched = true
    const scale = this.bounded(this.scale * factor)
    const fixed = this.toBoard(at)
    const offset = { x: (this.width / 2 - at.x) / scale, y: (this.height / 2 - at.y) / scale }
    this.glideTo(scale, { x: fixed.x + offset.x, y: fixed.y + offset.y })
  }

  pan(dx: number, dy: number): void {
    this.stop()
    this.x += dx
    this.y += dy
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
      ;[this.x, this.y] = [this.x + dx * passed, this.y + dy * passed]
      ;[dx, dy] = [dx * fade, dy * fade]
      this.bound()
      this.transform()
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

  /** Move as little as possible so that all of these are visible. */
  show(points: Point[], margin = 40): void {
    if (!points.length || !this.width) return
    const [left, right] = [Math.min(...points.map(({ x }) => x)) - margin, Math.max(...points.map(({ x }) => x)) + margin]
    const [top, bottom] = [Math.min(...points.map(({ y }) => y)) - margin, Math.max(...points.map(({ y }) => y)) + margin]
    const room = Math.min(this.width / (right - left), this.height / (bottom - top))
    const scale = this.bounded(Math.min(this.scale, room))
    const half = { x: this.width / 2 / scale, y: this.height / 2 / scale }
    const middle = this.toBoard({ x: this.width / 2, y: this.height / 2 })
    const x = within(middle.x, right - half.x, left + half.x)
    const y = within(middle.y, bottom - half.y, top + half.y)
    if (scale === this.scale && x === middle.x && y === middle.y) return
    this.touched = true
    this.glideTo(scale, { x, y })
  }

  /** From pixels of the window to units of the board. */
  toBoard({ x, y }: Point): Point {
    return { x: (x - this.x) / this.scale + this.box.x, y: (y - this.y) / this.scale + this.box.y }
  }

  /** This many pixels, in units of the board. */
  units(pixels: number): number {
    return pixels / this.scale
  }

  close(): void {
    this.stop()
    clearTimeout(this.resting)
    cancelAnimationFrame(this.frame)
  }

  private bounded(scale: number): number {
    return Math.min(Math.max(scale, this.least), Math.max(MOST, this.least))
  }

  private put(scale: number, middle: Point): void {
    this.scale = this.bounded(scale)
    this.x = this.width / 2 - (middle.x - this.box.x) * this.scale
    this.y = this.height / 2 - (middle.y - this.box.y) * this.scale
    this.bound()
  }

  /** The board never leaves the window: it is centred if it is smaller, otherwise there is no gap at its edges. */
  private bound(): void {
    this.x = this.boundedAt(this.x, this.width, this.box.width * this.scale)
    this.y = this.boundedAt(this.y, this.height, this.box.height * this.scale)
  }

  private boundedAt(at: number, window: number, sheet: number): number {
    return sheet <= window ? (window - sheet) / 2 : Math.min(0, Math.max(window - sheet, at))
  }

  private moved(): void {
    this.touched = true
    this.bound()
    this.transformSoon()
  }

  private transformSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      this.transform()
      this.restSoon()
    })
  }

  /** Counted from the last frame shown, so that a slow machine does not redraw in the middle of a movement. */
  private restSoon(): void {
    clearTimeout(this.resting)
    if (!this.held) this.resting = window.setTimeout(() => this.settle(), REST)
  }

  private transform(): void {
    const ratio = this.scale / this.drawn
    this.apply(`translate(${this.x}px, ${this.y}px)` + (Math.abs(ratio - 1) > 1e-4 ? ` scale(${ratio})` : ''))
  }

  private settle(): void {
    this.drawn = this.scale
    this.zoomed = this.canZoomOut
    ;[this.x, this.y] = [Math.round(this.x), Math.round(this.y)]
    this.transform()
  }

  private glideTo(scale: number, middle: Point): void {
    this.stop()
    const from = { scale: this.scale, ...this.toBoard({ x: this.width / 2, y: this.height / 2 }) }
    const began = performance.now()
    const glide = (now: number): void => {
      const share = moves() ? Math.min(1, Math.max(0, (now - began) / GLIDE)) : 1
      const eased = 1 - (1 - share) ** 3
      const at = (one: number, other: number): number => one + (other - one) * eased
      this.put(at(from.scale, scale), { x: at(from.x, middle.x), y: at(from.y, middle.y) })
      this.transform()
      if (share < 1) this.glide = requestAnimationFrame(glide)
      else this.settle()
    }
    this.glide = requestAnimationFrame(glide)
  }

  private stop(): void {
    cancelAnimationFrame(this.glide)
  }
}

/** The value, or the nearest one within the bounds. */
function within(value: number, least: number, most: number): number {
  return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, value))
}
