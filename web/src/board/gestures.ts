/** Fingers and mouse on the board: a drag pans, two fingers or the wheel zoom, a tap points at something, a double tap away from targets zooms in. */
import type { Point } from '../api/types'
import type { Camera } from './camera.svelte'

interface Told {
  /** Was there something to point at? */
  tap: (at: Point, isTouch: boolean) => boolean
  hover: (at: Point | null) => void
}

const DRAG = 6 // pixels after which a touch becomes a drag
const STILL = 60 // milliseconds without movement after which a drag is not a fling
const TWICE = 300 // milliseconds between two taps that belong together
const NOTCH = 0.0016

export class Gestures {
  private readonly down = new Map<number, Point>()
  private began: Point = { x: 0, y: 0 }
  private dragging = false
  private speed = { x: 0, y: 0, time: 0 } // pixels per millisecond
  private tapped = { time: -Infinity, x: 0, y: 0 }

  constructor(
    private readonly window: HTMLElement,
    private readonly camera: Camera,
    private readonly told: Told,
  ) {}

  /** Listens until you call the function it returns. */
  listen(): () => void {
    const stop = new AbortController()
    const on = <K extends keyof HTMLElementEventMap>(name: K, heard: (event: HTMLElementEventMap[K]) => void): void =>
      this.window.addEventListener(name, heard, { signal: stop.signal, passive: false })
    on('pointerdown', (event) => this.pressed(event))
    on('pointermove', (event) => this.moved(event))
    on('pointerup', (event) => this.released(event))
    on('pointercancel', (event) => this.cancelled(event))
    on('pointerleave', (event) => this.left(event))
    on('wheel', (event) => this.wheel(event))
    return () => stop.abort()
  }

  private pressed(event: PointerEvent): void {
    if (event.button > 1) return
    const at = this.at(event)
    this.speed = { x: 0, y: 0, time: event.timeStamp }
    if (this.down.size === 0) [this.began, this.dragging] = [at, false]
    else this.pinched()
    this.down.set(event.pointerId, at)
  }

  private moved(event: PointerEvent): void {
    const at = this.at(event)
    const before = this.down.get(event.pointerId)
    if (!before || (event.pointerType === 'mouse' && event.buttons === 0)) {
      this.cancelled(event) // the button was released outside
      if (event.pointerType !== 'touch') this.told.hover(at)
      return
    }
    if (this.down.size === 1) this.drag(event, before, at)
    else this.pinch(event.pointerId, before, at)
    this.down.set(event.pointerId, at)
  }

  private released(event: PointerEvent): void {
    if (!this.down.delete(event.pointerId) || this.down.size > 0) return
    this.let()
    if (this.dragging && event.pointerType === 'touch' && event.timeStamp - this.speed.time < STILL) this.camera.fling(this.speed.x, this.speed.y)
    if (!this.dragging && event.button === 0) this.tap(this.at(event), event.timeStamp, event.pointerType !== 'mouse')
  }

  private cancelled(event: PointerEvent): void {
    if (this.down.delete(event.pointerId) && this.down.size === 0) this.let()
  }

  private left(event: PointerEvent): void {
    if (event.pointerType !== 'touch') this.told.hover(null)
  }

  /** When the whole board is visible, zooming out further scrolls the page. */
  private wheel(event: WheelEvent): void {
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1
    const turned = event.deltaY * lines
    if (turned > 0 && !this.camera.canZoomOut) return
    event.preventDefault()
    if (event.shiftKey) this.camera.pan(-turned - event.deltaX * lines, 0)
    else this.camera.zoom(Math.exp(-turned * NOTCH * (event.ctrlKey ? 4 : 1)), this.at(event))
  }

  private pinched(): void {
    this.dragging = true
    this.camera.hold(true)
  }

  private let(): void {
    this.window.classList.remove('dragging')
    if (this.dragging) this.camera.hold(false)
  }

  private at(event: MouseEvent): Point {
    const { left, top } = this.window.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  private drag(event: PointerEvent, before: Point, at: Point): void {
    if (!this.dragging) {
      if (Math.hypot(at.x - this.began.x, at.y - this.began.y) < DRAG) return
      this.dragging = true
      this.camera.hold(true)
      this.window.setPointerCapture(event.pointerId)
      this.window.classList.add('dragging')
      before = this.began
    }
    this.camera.pan(at.x - before.x, at.y - before.y)
    const passed = Math.max(1, event.timeStamp - this.speed.time)
    const mixed = (old: number, moved: number): number => 0.4 * old + (0.6 * moved) / passed
    this.speed = { x: mixed(this.speed.x, at.x - before.x), y: mixed(this.speed.y, at.y - before.y), time: event.timeStamp }
  }

  private pinch(moving: number, before: Point, at: Point): void {
    const other = [...this.down].find(([id]) => id !== moving)![1]
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(at.x - other.x, at.y - other.y)]
    this.camera.pan((at.x - before.x) / 2, (at.y - before.y) / 2)
    if (was > 0) this.camera.zoom(is / was, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 })
  }

  private tap(at: Point, time: number, isTouch: boolean): void {
    const isSecond = time - this.tapped.time < TWICE && Math.hypot(at.x - this.tapped.x, at.y - this.tapped.y) < 30
    const isBeside = !this.told.tap(at, isTouch)
    if (isSecond && isBeside) this.twice(at)
    this.tapped = { time: isSecond || !isBeside ? -Infinity : time, ...at }
  }

  /** Closer, or back to the first view. */
  private twice(at: Point): void {
    if (this.camera.isClose) this.camera.back()
    else this.camera.step(2, at)
  }
}
