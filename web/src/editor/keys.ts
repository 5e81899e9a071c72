/** The editor's map by keys: a cross that arrows move, and Enter acts where it stands. */
import type { Point } from '../api/types'
import type { Acting } from './acting.svelte'
import { changeRoute } from './document'
import type { Tool } from './editing.svelte'

const STEPS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }
const TOOLS: Record<string, Tool> = { v: 'select', c: 'city', r: 'route', t: 'ticket' }
const [STEP, LEAP] = [8, 48] // pixels
const EDGE = 40 // pixels to the edge of the window at which the map moves along
const ZOOM = 1.3

/** Where the cross stands then; undefined for keys that mean nothing here. */
export function onKey(event: KeyboardEvent, acting: Acting, cross: Point): Point | undefined {
  if (event.ctrlKey || event.metaKey) return undefined
  const way = STEPS[event.key]
  if (way) return event.altKey ? nudged(acting, way, cross) : moved(acting, way, event.shiftKey ? LEAP : STEP, cross)
  if (event.key === 'PageDown' || event.key === 'PageUp') return nextCity(acting, cross, event.key === 'PageDown' ? 1 : -1)
  return act(event.key, acting, cross) ? cross : undefined
}

function act(key: string, acting: Acting, cross: Point): boolean {
  const { camera, editing } = acting
  if (key === 'Enter' || key === ' ') acting.act(cross, 'touch')
  else if (key in TOOLS) [editing.tool, acting.from] = [TOOLS[key]!, null]
  else if (key === 'Delete' || key === 'Backspace') acting.remove()
  else if (key === '+' || key === '=') camera.zoom(ZOOM, cross)
  else if (key === '-') camera.zoom(1 / ZOOM, cross)
  else if (key === '0') camera.fit([...acting.spots.values()])
  else if (key === 'Escape') acting.stop()
  else return lengthen(key, acting)
  return true
}

/** A digit is the length of the selected route. */
function lengthen(key: string, { editing }: Acting): boolean {
  if (!/^[1-9]$/.test(key) || editing.selected?.kind !== 'route') return false
  editing.change(changeRoute(editing.selected.index, { length: Number(key) }))
  return true
}

function nudged(acting: Acting, [x, y]: [number, number], cross: Point): Point {
  acting.nudge(x, y)
  return cross
}

function moved({ camera }: Acting, [x, y]: [number, number], step: number, cross: Point): Point {
  const next = { x: cross.x + x * step, y: cross.y + y * step }
  const inside = { x: within(next.x, camera.width), y: within(next.y, camera.height) }
  camera.pan(inside.x - next.x, inside.y - next.y)
  return inside
}

function within(value: number, size: number): number {
  return Math.max(EDGE, Math.min(size - EDGE, value))
}

/** On to the city after the one at the cross, or to the first. */
function nextCity(acting: Acting, cross: Point, by: 1 | -1): Point {
  const { cities } = acting.editing.document
  if (!cities.length) return cross
  const here = acting.cityAt(cross, 'touch') ?? (by > 0 ? -1 : 0)
  const city = cities[(here + by + cities.length) % cities.length]!
  acting.said = city.name
  const at = acting.seen.get(city.id)
  if (!at) return cross
  const inside = { x: within(at.x, acting.camera.width), y: within(at.y, acting.camera.height) }
  acting.camera.pan(inside.x - at.x, inside.y - at.y)
  return inside
}
