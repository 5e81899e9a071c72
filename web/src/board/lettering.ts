/** How large names are drawn: on a small board they grow away from their dots, each until it would cover something else. */
import type { Label, Layout, Point } from '../api/types'

const READABLE = 10.5 // pixels
const MOST = 1.45
const STEP = 0.03
const BITE = 2.5 // of a space's width that letters may cover
const ALONG = [-0.36, -0.18, 0, 0.18, 0.36] // where along a space we check

/** Something that names must not cover. */
interface Obstacle extends Point {
  clear: number
}

/** How far names of this size should grow, given the pixels per unit of the board. */
export function wantedGrowth(size: number, pixels: number): number {
  return Math.min(MOST, Math.max(1, READABLE / (size * pixels)))
}

/** The point of the box nearest to the dot stays in place. */
export function grown(label: Label, dot: Point, growth: number): Label {
  const [width, height] = label.box
  const away = (middle: number, at: number, half: number): number => {
    const fixed = Math.min(middle + half, Math.max(middle - half, at))
    return fixed + (middle - fixed) * growth
  }
  return { ...label, x: away(label.x, dot.x, width / 2), y: away(label.y, dot.y, height / 2), box: [width * growth, height * growth] }
}

/** A place's name as it is drawn: English if the layout does not have the language. */
export function labelOf({ labels }: Layout['cities'][string], language: string): Label {
  return labels[language] ?? labels.en
}

/** How far each city's name can grow. All grow step by step, and each stops when it would touch something. */
export function growthLimits(layout: Layout, language: string): Record<string, number> {
  const places = Object.entries(layout.cities)
  const limits = Object.fromEntries(places.map(([city]) => [city, 1]))
  const boxes = new Map(places.map(([city, place]) => [city, labelOf(place, language)]))
  const obstacles = obstaclesOf(layout)
  const growing = new Set(places)
  for (let growth = 1 + STEP; growth <= MOST + STEP / 2; growth += STEP) {
    for (const place of growing) {
      const [city, dot] = place
      const next = grown(labelOf(dot, language), dot, growth)
      const others = [...boxes].filter(([other]) => other !== city)
      if (!isInside(next, layout) || others.some(([, other]) => overlap(next, other)) || obstacles.some((obstacle) => hides(next, obstacle))) {
        growing.delete(place)
      } else {
        limits[city] = growth
        boxes.set(city, next)
      }
    }
  }
  return limits
}

function obstaclesOf({ cities, routes, city_radius, space: { width } }: Layout): Obstacle[] {
  const dots = Object.values(cities).map(({ x, y }) => ({ x, y, clear: city_radius }))
  const spaces = Object.values(routes).flatMap((route) => route.spaces)
  const points = spaces.flatMap(({ x, y, angle, length }) => {
    const turn = (angle * Math.PI) / 180
    return ALONG.map((share) => ({ x: x + Math.cos(turn) * length * share, y: y + Math.sin(turn) * length * share, clear: width / 2 - BITE }))
  })
  return [...dots, ...points]
}

function isInside({ x, y, box }: Label, { view_box: [left, top, width, height] }: Layout): boolean {
  return Math.abs(x - left - width / 2) <= (width - box[0]) / 2 && Math.abs(y - top - height / 2) <= (height - box[1]) / 2
}

function overlap(one: Label, other: Label): boolean {
  return Math.abs(one.x - other.x) < (one.box[0] + other.box[0]) / 2 && Math.abs(one.y - other.y) < (one.box[1] + other.box[1]) / 2
}

function hides({ x, y, box }: Label, point: Obstacle): boolean {
  const across = Math.max(0, Math.abs(point.x - x) - box[0] / 2)
  const down = Math.max(0, Math.abs(point.y - y) - box[1] / 2)
  return across * across + down * down < point.clear * point.clear
}
