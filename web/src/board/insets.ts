/** Rectangles: what panels cover, what they leave free. */
import type { Point } from '../api/types'

/** What panels cover at the edges of the screen, in CSS pixels. */
export interface Insets {
  left: number
  top: number
  right: number
  bottom: number
  /** How much of the height that the board does not need lies above it; half, if this is not given. */
  above?: number
}

/** Where nothing covers the board: a little room at its edges. */
export const NO_INSETS: Insets = { left: 8, top: 8, right: 8, bottom: 8 }

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** What the insets leave of a window; never less than a fifth of it. */
export function freeOf(width: number, height: number, { left, top, right, bottom }: Insets): Rect {
  const [across, down] = [shrunk(width, left + right), shrunk(height, top + bottom)]
  return { x: left * across, y: top * down, width: width - (left + right) * across, height: height - (top + bottom) * down }
}

/** By how much insets are reduced where they would cover nearly everything. */
function shrunk(size: number, covered: number): number {
  return covered > size * 0.8 ? (size * 0.8) / covered : 1
}

export function boundsOf(points: Point[]): Rect {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

export function grown({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

export function overlap(one: Rect, other: Rect): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height
}
