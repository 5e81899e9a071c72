/** The worked examples of a game's rules: positions of its own board and cards, from the board's folder, and what a language says about them. */
import type { Values } from '../../../i18n/i18n.svelte'
import { listed } from '../../../i18n/i18n.svelte'
import type { Game } from '../../../state/games.svelte'

export interface Example {
  id: string
  /** The section of the rules that it belongs to, and the rules that it shows. */
  section: string
  rules: string[]
  /** The cities of the part of the map that it shows. */
  map?: string[]
  steps: Step[]
}

/** One picture. You are seat 0. */
interface Position {
  id: string
  players?: number
  /** Routes and cities by the seat that has claimed them or built there. */
  claims?: Record<string, number>
  buildings?: Record<string, number>
}

/** Cards that pay for a route or a building, or that do not. */
export interface Payment extends Position {
  kind: 'payment'
  route?: string
  city?: string
  cards: string[]
  allowed: boolean
  points?: number
}

export interface Tunnel extends Position {
  kind: 'tunnel'
  route: string
  laid: string[]
  turned: string[]
  owed: number
  added?: string[]
  claimed: boolean
}

/** What a position would count at the end of the game. */
export interface Count extends Position {
  kind: 'count'
  part: 'tickets' | 'harbours' | 'districts' | 'attractions' | 'longest_path'
  points: number
  tickets?: string[]
  completed?: string[]
  /** The points of the stations that are left. */
  stations?: number
  /** Where the harbour is; the places of the district, or the attractions that were reached. */
  city?: string
  cities?: string[]
  district?: number
  /** The longest path, its spaces, and the spaces that do not belong to it. */
  path?: string[]
  length?: number
  left_out?: number
}

/** Cards placed in your yard, beside the rows of another player's. */
export interface Placing extends Position {
  kind: 'placing'
  yard: Record<string, string[]>
  placed: string[]
  allowed: boolean
  robbed: string[]
}

/** Tickets completed with the cards of a track pile: their worth, the bonus of big cities, and what the other tickets cost. */
export interface Completing extends Position {
  kind: 'completing'
  pile: string[]
  tickets: string[]
  completed: string[]
  worth: number
  bonus: number
  lost: number
  points: number
}

export type Step = Payment | Tunnel | Count | Placing | Completing

/** What a language says about an example: ICU messages, whose values follow from the step. */
export interface Told {
  title: string
  text: string
  steps: Record<string, string>
}

const files = import.meta.glob<Example[]>('$boards/*/examples.json', { import: 'default' })

/** None if the board has no examples. Those of a board from outside come with its rulebook. */
export async function examplesOf(game: string): Promise<Example[]> {
  const folder = game.replaceAll('-', '_')
  const load = Object.entries(files).find(([path]) => path.endsWith(`/${folder}/examples.json`))?.[1]
  return load ? load() : []
}

/** The values of a step's message: its numbers, and the names of what it is about. */
export function valuesOf(game: Game, step: Step): Values {
  const numbers = Object.entries(step).filter(([, value]) => typeof value === 'number')
  return { ...Object.fromEntries(numbers), ...routeValues(game, step), ...placeValues(game, step), ...cardValues(step), ...ticketValues(game, step) }
}

function routeValues(game: Game, step: Step): Values {
  const route = 'route' in step && step.route ? game.routes.get(step.route) : undefined
  return route ? { route: game.routeName(route.id), spaces: route.length, ferry: route.ferry } : {}
}

function placeValues(game: Game, step: Step): Values {
  const built = Object.keys(step.buildings ?? {})[0]
  return {
    ...(built && { built: game.place(built) }),
    ...('city' in step && step.city && { city: game.place(step.city) }),
    ...('cities' in step && step.cities && { cities: listed(step.cities.map((city) => game.place(city))) }),
  }
}

function cardValues(step: Step): Values {
  if (step.kind !== 'placing') return {}
  return { cards_count: step.placed.length, yard_count: Object.values(step.yard).flat().length }
}

function ticketValues(game: Game, step: Step): Values {
  const lost = 'points' in step ? { points_lost: Math.max(0, -(step.points ?? 0)) } : {}
  if (!('tickets' in step) || !step.tickets) return lost
  return { ...lost, ticket: game.ticketName(step.tickets[0]!), completed_count: step.completed?.length ?? 0 }
}
