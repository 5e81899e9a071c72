/** The light along a coast, as an image made once: drawn as strokes, it would take most of a board's drawing time. */
import type { Layout } from '../api/types'

const STROKES: [number, number][] = [
  [22, 0.1],
  [14, 0.14],
  [8, 0.2],
  [3.4, 0.35],
] // width and opacity
const PIXELS = 1 // per unit of the board: it is soft anyway

/** As a data URL, in the page's current colour. */
export function shorePicture(layout: Layout): string {
  const [, , width, height] = layout.view_box
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [width * PIXELS, height * PIXELS]
  const context = canvas.getContext('2d')
  if (!context) return ''
  const coast = new Path2D(layout.coast)
  context.scale(PIXELS, PIXELS)
  context.lineJoin = 'round'
  context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--shore')
  for (const [wide, opacity] of STROKES) {
    context.lineWidth = wide
    context.globalAlpha = opacity
    context.stroke(coast)
  }
  return canvas.toDataURL('image/webp', 0.9)
}

/** Calls back now and after each change between light and dark, until you call the function it returns. */
export function withTheme(tell: () => void): () => void {
  const observer = new MutationObserver(tell)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const first = setTimeout(tell) // after the board has been shown
  return () => {
    observer.disconnect()
    clearTimeout(first)
  }
}
