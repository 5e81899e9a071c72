/** The coast as a line, sharp at every zoom, above the picture of the map. */
import type { Layout } from '../api/types'

const CUT = 29.9 // units beyond the frame where the layout's coast ends

/** The coast without the straight cuts where the layout ends: there, the land goes on in the picture. */
export function shoreLine({ coast = '', view_box: [left, top, width, height] }: Layout): string {
  const isCut = ([x, y]: Place): boolean => x <= left - CUT || y <= top - CUT || x >= left + width + CUT || y >= top + height + CUT
  let line = ''
  for (const ring of coast.replaceAll('Z', '').split('M').slice(1)) {
    const points = ring.split('L').map((point) => point.split(' ').map(Number) as Place)
    let isOpen = false
    for (const [number, from] of points.entries()) {
      const to = points[(number + 1) % points.length]!
      if (isCut(from) && isCut(to)) isOpen = false
      else {
        line += `${isOpen ? '' : `M${from.join(' ')}`}L${to.join(' ')}`
        isOpen = true
      }
    }
  }
  return line
}

type Place = [number, number]
