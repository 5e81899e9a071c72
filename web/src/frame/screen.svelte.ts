/** The size of the window and of its type, kept up to date: browsers let people choose both. */
import type { Screen } from './frame'

class Window {
  now = $state.raw<Screen>(measured())
}

function measured(): Screen {
  return { width: innerWidth, height: innerHeight, rem: parseFloat(getComputedStyle(document.documentElement).fontSize) }
}

const shown = new Window()

export function screen(): Screen {
  return shown.now
}

function look(): void {
  const now = measured()
  if (now.width !== shown.now.width || now.height !== shown.now.height || now.rem !== shown.now.rem) shown.now = now
}

addEventListener('resize', look)

/** One rem high: its size changes when the type does, without an event. */
const ruler = document.createElement('div')
ruler.style.cssText = 'position:absolute;visibility:hidden;width:0;height:1rem'
ruler.ariaHidden = 'true'
document.body.append(ruler)
new ResizeObserver(look).observe(ruler)
