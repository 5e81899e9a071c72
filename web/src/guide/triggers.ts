/** When a step of a guide is due, judged only by what the server says. */
import type { GameEvent, Position, SeatFacts, TableState } from '../api/types'
import type { Game } from '../state/games.svelte'

type Trigger =
  | 'welcome'
  | 'opening_tickets'
  | 'supply'
  | 'first_action'
  | 'have_cards_for_route'
  | 'second_card'
  | 'fill'
  | 'payment'
  | 'tunnel'
  | 'ferry'
  | 'station'
  | 'harbour'
  | 'exchange'
  | 'tickets_offered'
  | 'placing'
  | 'yard'
  | 'robbery'
  | 'ticket_done'
  | 'others_turn'
  | 'second_pass'
  | 'last_turns'
  | 'over'

interface Moment {
  position: Position
  own: SeatFacts
  you: number
  isAsked: boolean
  legal: string[]
  events: GameEvent[]
  game: Game
}

// so that a step appears when it is useful, not on the first turn
const ROUTES_OF_OTHERS = 6
const FEW_PIECES = 8

const IS_TRUE: Record<Trigger, (now: Moment) => boolean> = {
  welcome: () => true,
  opening_tickets: (now) => asked(now, 'opening tickets'),
  supply: (now) => asked(now, 'supply'),
  first_action: (now) => asked(now, 'action'),
  have_cards_for_route: ({ legal }) => may(legal, 'claim '),
  second_card: (now) => asked(now, 'second card'),
  fill: (now) => asked(now, 'fill'),
  payment: (now) => asked(now, 'payment'),
  tunnel: ({ position, isAsked }) => isAsked && position.tunnel !== undefined,
  ferry: ({ legal, position, game }) =>
    legal.some((one) => one.startsWith('claim ') && isFerry(game, one.slice(6))) || isFerry(game, position.payment?.route ?? ''),
  station: (now) => now.game.building === 'station' && may(now.legal, 'build ') && routesOfOthers(now) >= ROUTES_OF_OTHERS,
  harbour: ({ game, legal }) => game.building === 'harbour' && may(legal, 'build '),
  exchange: ({ legal, own }) => may(legal, 'exchange ') && Object.values(own.pieces ?? {}).some((count) => count <= FEW_PIECES),
  tickets_offered: (now) => asked(now, 'tickets offered'),
  placing: (now) => asked(now, 'placing') || may(now.legal, 'place '),
  yard: ({ own }) => Object.keys(own.yard ?? {}).length > 0,
  robbery: ({ events }) => events.some(({ event }) => event === 'rob'),
  ticket_done: ({ own }) => (own.done?.length ?? 0) > 0,
  others_turn: ({ position, you }) => ['action', 'second card'].includes(position.phase) && !position.choosing.includes(you),
  second_pass: ({ position }) => position.second_pass === true,
  last_turns: ({ position }) => position.last_turns !== undefined,
  over: ({ position }) => position.phase === 'over',
}

function asked({ position, isAsked }: Moment, phase: string): boolean {
  return isAsked && position.phase === phase
}

function may(legal: string[], decision: string): boolean {
  return legal.some((one) => one.startsWith(decision))
}

function isFerry(game: Game, route: string): boolean {
  return (game.routes.get(route)?.ferry ?? 0) > 0
}

function routesOfOthers({ position, you }: Moment): number {
  return Object.entries(position.seats).reduce((sum, [seat, { routes }]) => sum + (Number(seat) === you ? 0 : (routes?.length ?? 0)), 0)
}

/** Everything that is true for the viewer now: nothing for spectators or before the game, and after it only that it is over. */
export function triggers(state: TableState, events: GameEvent[], game: Game): Set<string> {
  const { position, you } = state
  const own = you === undefined || you === null ? undefined : position?.seats[String(you)]
  if (!position || !own || you === undefined || you === null) return new Set()
  if (state.status !== 'playing') return new Set(position.phase === 'over' ? ['over'] : [])
  const now: Moment = { position, own, you, isAsked: position.question !== undefined, legal: position.legal ?? [], events, game }
  return new Set(Object.entries(IS_TRUE).flatMap(([name, isTrue]) => (isTrue(now) ? [name] : [])))
}
