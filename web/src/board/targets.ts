/** The routes and cities of a board as targets to point at: where each is, which is nearest, which comes next in a direction. */
import type { Layout, Point, Space } from '../api/types'
import type { Game } from '../state/games.svelte'
import { smooth } from './ways'

export interface Target extends Point {
  key: string
  kind: 'route' | 'city'
  id: string
  /** Middle lines of the spaces; a city is one point. */
  lines: Point[][]
  /** The same as a path. */
  path: string
}

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'
const WAYS: Record<Direction, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }
const SIDEWAYS = 2.2 // cost of a step sideways, compared with one ahead

export function routeKey(route: string): string {
  return `route:${route}`
}

export function cityKey(city: string): string {
  return `city:${city}`
}

/** A route over the edge has two halves, one on each side of the board. */
export function halves(game: Game, route: string): Space[][] {
  const { curves, spaces } = game.layout!.routes[route]!
  if (curves.length < 2) return [spaces]
  const middle = game.layout!.view_box[2] / 2
  return [spaces.filter((space) => space.x < middle), spaces.filter((space) => space.x >= middle)]
}

/** From the outer end of the first space, through the middles of all, to the outer end of the last. */
function middleLine(spaces: Space[]): Point[] {
  const first = spaces[0]!
  const last = spaces.at(-1)!
  return [end(first, -0.5), ...spaces.map(({ x, y }) => ({ x, y })), end(last, 0.5)]
}

function end(space: Space, share: number): Point {
  const turn = (space.angle * Math.PI) / 180
  return { x: space.x + Math.cos(turn) * space.length * share, y: space.y + Math.sin(turn) * space.length * share }
}

/** The angle at which something on a space is never upside down. */
export function upright(angle: number): number {
  if (angle > 90) return angle - 180
  return angle <= -90 ? angle + 180 : angle
}

/** Is something at this angle turned round, to be upright? */
export function isTurned(angle: number): boolean {
  return upright(angle) !== angle
}

function isWaypoint(layout: Layout, city: string): boolean {
  return layout.cities[city]!.labels.en.lines.length === 0
}

export class Targets {
  readonly all: Target[]
  private readonly found: Map<string, Target>

  constructor(game: Game) {
    const layout = game.layout!
    const cities = game.facts.cities.filter(({ id }) => layout.cities[id] && !isWaypoint(layout, id)).map(({ id }) => cityTarget(layout, id))
    const routes = game.facts.routes.filter(({ id }) => layout.routes[id]).map(({ id }) => routeTarget(game, id))
    this.all = [...cities, ...routes]
    this.found = new Map(this.all.map((target) => [target.key, target]))
  }

  get(key: string | null): Target | undefined {
    return key === null ? undefined : this.found.get(key)
  }

  /** The target nearest to a pointer, within `reach`; a dot is preferred to the spaces that end at it. */
  nearest(point: Point, reach: number, dot: number): Target | undefined {
    let best: Target | undefined
    let least = reach
    for (const target of this.all) {
      const away = target.kind === 'city' ? distance(point, target) - dot / 2 : Math.min(...target.lines.map((line) => toLine(point, line)))
      if (away < least) [best, least] = [target, away]
    }
    return best
  }

  /** The next wanted target in a direction. */
  toward(from: Point, direction: Direction, wanted: (target: Target) => boolean): Target | undefined {
    const [dx, dy] = WAYS[direction]
    let best: Target | undefined
    let least = Infinity
    for (const target of this.all) {
      const [x, y] = [target.x - from.x, target.y - from.y]
      const ahead = x * dx + y * dy
      const aside = Math.abs(x * dy - y * dx)
      if (ahead < 1 || aside > ahead * 2 || !wanted(target)) continue
      const cost = ahead + SIDEWAYS * aside
      if (cost < least) [best, least] = [target, cost]
    }
    return best
  }

  /** The next place, after the given one, whose name begins with these letters. */
  named(letters: string, after: string | null, name: (city: string) => string): Target | undefined {
    const begins = letters.toLocaleLowerCase()
    const cities = this.all.filter((target) => target.kind === 'city' && name(target.id).toLocaleLowerCase().startsWith(begins))
    const sorted = cities.sort((one, other) => name(one.id).localeCompare(name(other.id)))
    return sorted[(sorted.findIndex((target) => target.key === after) + 1) % sorted.length]
  }
}

function cityTarget(layout: Layout, id: string): Target {
  const { x, y } = layout.cities[id]!
  return { key: cityKey(id), kind: 'city', id, x, y, lines: [], path: '' }
}

function routeTarget(game: Game, id: string): Target {
  const parts = halves(game, id)
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one))
  const { x, y } = longest[Math.floor((longest.length - 1) / 2)]!
  const lines = parts.map(middleLine)
  return { key: routeKey(id), kind: 'route', id, x, y, lines, path: lines.map(smooth).join('') }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function toLine(point: Point, line: Point[]): number {
  let least = Infinity
  for (let at = 1; at < line.length; at++) least = Math.min(least, toSegment(point, line[at - 1]!, line[at]!))
  return least
}

function toSegment(point: Point, a: Point, b: Point): number {
  const [x, y] = [b.x - a.x, b.y - a.y]
  const along = ((point.x - a.x) * x + (point.y - a.y) * y) / (x * x + y * y || 1)
  const share = Math.max(0, Math.min(1, along))
  return Math.hypot(point.x - a.x - share * x, point.y - a.y - share * y)
}
