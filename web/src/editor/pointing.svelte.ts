/** Mouse and fingers on the editor's map: a drag moves a city, joins two, or pans; two fingers or the wheel zoom; a tap acts. */
import type { Point } from '../api/types'
import type { Acting, Pointer } from './acting.svelte'

const DRAG = 6 // pixels after which a touch is a drag
const NOTCH = 0.0016

type Drag = { kind: 'pan' } | { kind: 'city'; city: number; name: string } | { kind: 'join'; city: number }

export class Pointing {
  /** Where the pointer is while it joins two cities. */
  hover = $state.raw<Point | null>(null)
  private readonly down = new Map<number, Point>()
  private began: Point = { x: 0, y: 0 }
  private drag: Drag | null = null
  private isMoving = false
  private count = 0

  constructor(private readonly acting: Acting) {}

  listen(board: HTMLElement): () => void {
    const stop = new AbortController()
    const on = <K extends keyof HTMLElementEventMap>(name: K, heard: (event: HTMLElementEventMap[K], at: Point) => void): void =>
      board.addEventListener(name, (event) => heard(event, pointOf(event as unknown as MouseEvent, board)), { signal: stop.signal, passive: false })
    on('pointerdown', (event, at) => this.pressed(event, at))
    on('pointermove', (event, at) => this.moved(event, at, board))
    on('pointerup', (event, at) => this.released(event, at))
    on('pointercancel', (event) => this.down.delete(event.pointerId))
    on('pointerleave', () => (this.hover = null))
    on('wheel', (event, at) => this.wheel(event, at))
    return () => stop.abort()
  }

  private pressed(event: PointerEvent, at: Point): void {
    if (event.button > 0) return
    this.down.set(event.pointerId, at)
    if (this.down.size > 1) [this.drag, this.isMoving] = [{ kind: 'pan' }, true]
    else [this.began, this.drag, this.isMoving] = [at, this.dragFrom(at, kindOf(event)), false]
  }

  private dragFrom(at: Point, pointer: Pointer): Drag {
    const city = this.acting.cityAt(at, pointer)
    if (city === undefined) return { kind: 'pan' }
    const { tool } = this.acting.editing
    return tool === 'route' || tool === 'ticket' ? { kind: 'join', city } : { kind: 'city', city, name: `drag ${++this.count}` }
  }

  private moved(event: PointerEvent, at: Point, board: HTMLElement): void {
    if (event.pointerType !== 'touch' || this.down.size) this.hover = at
    const before = this.down.get(event.pointerId)
    if (!before || !this.drag) return
    if (!this.isMoving && Math.hypot(at.x - this.began.x, at.y - this.began.y) < DRAG) return
    if (!this.isMoving) this.begin(event, board)
    if (this.down.size > 1) this.pinch(event.pointerId, before, at)
    else if (this.drag.kind === 'city') this.acting.drag(this.drag.city, at, this.drag.name)
    else if (this.drag.kind === 'pan') this.acting.camera.pan(at.x - before.x, at.y - before.y)
    this.down.set(event.pointerId, at)
  }

  private begin(event: PointerEvent, board: HTMLElement): void {
    this.isMoving = true
    board.setPointerCapture(event.pointerId)
    if (this.drag?.kind === 'city') this.acting.select({ kind: 'city', index: this.drag.city })
    if (this.drag?.kind === 'join') this.acting.from = this.acting.editing.document.cities[this.drag.city]!.id
  }

  private pinch(moving: number, before: Point, at: Point): void {
    const other = [...this.down].find(([id]) => id !== moving)![1]
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(at.x - other.x, at.y - other.y)]
    this.acting.camera.pan((at.x - before.x) / 2, (at.y - before.y) / 2)
    if (was > 0) this.acting.camera.zoom(is / was, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 })
  }

  private released(event: PointerEvent, at: Point): void {
    if (!this.down.delete(event.pointerId) || this.down.size) return
    if (!this.isMoving) this.acting.act(at, kindOf(event))
    else if (this.drag?.kind === 'join') this.acting.join(this.acting.cityAt(at, kindOf(event)))
    this.drag = null
  }

  private wheel(event: WheelEvent, at: Point): void {
    event.preventDefault()
    const turned = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1)
    this.acting.camera.zoom(Math.exp(-turned * NOTCH * (event.ctrlKey ? 4 : 1)), at)
  }
}

function kindOf(event: PointerEvent): Pointer {
  return event.pointerType === 'mouse' ? 'mouse' : 'touch'
}

function pointOf(event: MouseEvent, board: HTMLElement): Point {
  const { left, top } = board.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
