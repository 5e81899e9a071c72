/** The editor's map: Mercator's projection, which keeps shapes everywhere and is easily turned round. Its unit is a degree of longitude. */
import type { Point } from '../api/types'
import type { Place } from './document'

const NORTH = 85 // degrees beyond which there is nothing to build

export function flat({ lat, lon }: Place): Point {
  const kept = Math.max(-NORTH, Math.min(NORTH, lat))
  const radians = (kept * Math.PI) / 180
  return { x: lon, y: (-Math.log(Math.tan(Math.PI / 4 + radians / 2)) * 180) / Math.PI }
}

export function placeAt({ x, y }: Point): Place {
  const lat = (2 * Math.atan(Math.exp((-y * Math.PI) / 180)) - Math.PI / 2) * (180 / Math.PI)
  return { lat: Math.max(-NORTH, Math.min(NORTH, lat)), lon: Math.max(-180, Math.min(180, x)) }
}
