/** The frame around a board, and its emptiest corner. */
import type { Label, Layout, Point } from '../api/types'
import type { Box } from './camera.svelte'

/** Size of the names of places beyond the edge, which are written in the frame. */
const BEYOND = 10.5
const MOST_BEYOND = 12.8 // names in two lines are written one above the other
const ARROW = 13
const FRAME = 0.0075 // of the width

export function boxOf(layout: Layout): Box {
  const [x, y, width, height] = layout.view_box
  const frame = width * FRAME
  const side = layout.edge?.length ? (longestBeyond(layout) * BEYOND) / layout.font_size + ARROW : frame
  return { x: x - side, y: y - frame, width: width + 2 * side, height: height + 2 * frame }
}

/** Enlarged like the names on the board, as far as the frame has room. */
export function sizeBeyond(layout: Layout, { box }: Label, growth: number): number {
  return Math.min(BEYOND * growth, MOST_BEYOND, (BEYOND * longestBeyond(layout)) / box[0])
}

function longestBeyond(layout: Layout): number {
  const labels = layout.edge!.flatMap(({ to }) => Object.values(layout.cities[to]!.labels))
  return Math.max(...labels.map(({ box }) => box[0]))
}

/** `bottom right` and so on: where buttons cover nothing. */
export function cornerOf(layout: Layout): string {
  const [x, y, width, height] = layout.view_box
  const targets: Point[] = [
    ...Object.values(layout.cities),
    ...Object.values(layout.cities).map(({ labels }) => labels.en),
    ...Object.values(layout.routes).flatMap(({ spaces }) => spaces),
  ]
  const room = (corner: string): number => {
    const at = { x: corner.endsWith('left') ? x : x + width, y: corner.startsWith('top') ? y : y + height }
    return Math.min(...targets.map((target) => Math.hypot((target.x - at.x) / 2, target.y - at.y)))
  }
  return ['bottom right', 'bottom left', 'top left', 'top right'].reduce((one, other) => (room(other) > room(one) ? other : one))
}
