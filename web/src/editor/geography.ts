/** The shores of the world, drawn on a canvas: thousands of islands would be too much for elements of their own. */
import { flat } from './projection'
import { send } from './requests'
import type { MapCamera } from './camera.svelte'

interface Shape {
  path: Path2D
  left: number
  right: number
  top: number
  bottom: number
}

export interface Shores {
  land: Shape[]
  lakes: Shape[]
  borders: Shape[]
}

const SMALLEST = 1.2 // pixels
const STEP = 1000 // parts of a degree

export async function loadShores(): Promise<Shores> {
  const { land, lakes, borders } = (await (await send('GET', '/geography')).json()) as { land: number[][][]; lakes: number[][][]; borders: number[][] }
  return { land: land.map((rings) => shape(rings)), lakes: lakes.map((rings) => shape(rings)), borders: borders.map((line) => shape([line], false)) }
}

/** Rings of steps: each place after the first is told by its distance from the one before. */
function shape(rings: number[][], isClosed = true): Shape {
  const found: Shape = { path: new Path2D(), left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const steps of rings) {
    let [lon, lat] = [0, 0]
    for (let one = 0; one < steps.length; one += 2) {
      lon += steps[one]!
      lat += steps[one + 1]!
      const { x, y } = flat({ lat: lat / STEP, lon: lon / STEP })
      if (one) found.path.lineTo(x, y)
      else found.path.moveTo(x, y)
      Object.assign(found, { left: Math.min(found.left, x), right: Math.max(found.right, x), top: Math.min(found.top, y), bottom: Math.max(found.bottom, y) })
    }
    if (isClosed) found.path.closePath()
  }
  return found
}

/** Only what can be seen. */
export function drawShores(canvas: HTMLCanvasElement, shores: Shores, camera: MapCamera): void {
  const ratio = devicePixelRatio
  canvas.width = Math.round(camera.width * ratio)
  canvas.height = Math.round(camera.height * ratio)
  const pen = canvas.getContext('2d')
  if (!pen) return
  const colour = (name: string): string => getComputedStyle(canvas).getPropertyValue(name)
  const scale = camera.scale * ratio
  const origin = camera.seen({ x: 0, y: 0 })
  pen.setTransform(scale, 0, 0, scale, origin.x * ratio, origin.y * ratio)
  pen.lineWidth = 1 / camera.scale
  pen.lineJoin = 'round'
  pen.strokeStyle = colour('--coast')
  for (const [shapes, fill] of [[shores.land, '--land-2'], [shores.lakes, '--sea-1'], [shores.borders, '']] as const) {
    pen.fillStyle = fill ? colour(fill) : 'transparent'
    pen.setLineDash(fill ? [] : [3 / camera.scale, 2 / camera.scale])
    for (const one of shapes.filter((shape) => isSeen(shape, camera))) {
      if (fill) pen.fill(one.path, 'evenodd')
      pen.stroke(one.path)
    }
  }
}

function isSeen({ left, right, top, bottom }: Shape, camera: MapCamera): boolean {
  const [first, last] = [camera.spot({ x: 0, y: 0 }), camera.spot({ x: camera.width, y: camera.height })]
  const isInside = right >= first.x && left <= last.x && bottom >= first.y && top <= last.y
  return isInside && Math.max(right - left, bottom - top) * camera.scale > SMALLEST
}
