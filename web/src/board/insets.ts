/** What panels cover at the edges of the screen, in CSS pixels. */
export interface Insets {
  left: number
  top: number
  right: number
  bottom: number
}

export const NO_INSETS: Insets = { left: 0, top: 0, right: 0, bottom: 0 }

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
