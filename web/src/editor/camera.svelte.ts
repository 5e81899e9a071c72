/** Which part of the map is seen: its middle, and pixels per degree. */
import type { Point } from '../api/types'

const [LEAST, MOST] = [1.5, 60_000]
const NARROW = 700 // pixels of the window below which tools stand above and below, not beside
// pixels that stay free for tools and names
const AROUND = { wide: { left: 150, right: 110, top: 44, bottom: 44 }, narrow: { left: 56, right: 80, top: 100, bottom: 84 } }

export class MapCamera {
  middle = $state.raw<Point>({ x: 10, y: -55 })
  scale = $state(20)
  width = $state(0)
  height = $state(0)

  seen({ x, y }: Point): Point {
    return { x: (x - this.middle.x) * this.scale + this.width / 2, y: (y - this.middle.y) * this.scale + this.height / 2 }
  }

  spot({ x, y }: Point): Point {
    return { x: (x - this.width / 2) / this.scale + this.middle.x, y: (y - this.height / 2) / this.scale + this.middle.y }
  }

  pan(x: number, y: number): void {
    this.middle = { x: this.middle.x - x / this.scale, y: this.middle.y - y / this.scale }
  }

  /** What is under `at` stays there. */
  zoom(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const under = this.spot(at)
    this.scale = Math.max(LEAST, Math.min(MOST, this.scale * factor))
    const now = this.seen(under)
    this.pan(at.x - now.x, at.y - now.y)
  }

  /** Show all of these. */
  fit(points: Point[]): void {
    if (!points.length || !this.width) return
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    const free = AROUND[this.width < NARROW ? 'narrow' : 'wide']
    const [wide, high] = [this.width - free.left - free.right, this.height - free.top - free.bottom]
    const wanted = Math.min(wide / (right - left || 0.02), high / (bottom - top || 0.02))
    this.scale = Math.max(LEAST, Math.min(MOST, wanted))
    this.middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
    this.pan((free.left - free.right) / 2, (free.top - free.bottom) / 2)
  }
}
