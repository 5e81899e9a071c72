/** Scales and ticks of a chart. */

/** Round numbers from below the smallest value to above the largest, about as many as wanted. */
export function ticks(least: number, most: number, wanted: number): number[] {
  const rough = Math.max(1, (most - least) / wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!
  const first = Math.floor(least / step)
  const last = Math.max(Math.ceil(most / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, number) => (first + number) * step)
}

/** Positions for the labels of lines, moved apart so that they do not overlap, in the same order. */
export function apart(wanted: number[], gap: number, lowest: number): number[] {
  const order = wanted.map((_, number) => number).sort((a, b) => wanted[a]! - wanted[b]!)
  const placed = [...wanted]
  order.forEach((number, rank) => {
    if (rank > 0) placed[number] = Math.max(placed[number]!, placed[order[rank - 1]!]! + gap)
  })
  const over = Math.max(0, (placed[order.at(-1) ?? 0] ?? 0) - lowest)
  if (over === 0) return placed
  let limit = lowest
  for (const number of order.reverse()) {
    placed[number] = Math.min(placed[number]!, limit)
    limit = placed[number]! - gap
  }
  return placed
}

/** Each seat's line has its own dashes. */
export const DASHES = ['', '9 4', '2 3.5', '12 4 2 4', '5 3']
