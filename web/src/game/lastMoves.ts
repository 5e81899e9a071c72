/** What each seat did in its last turn, in a few words for its panel: a route and its points, the cards taken. */
import { actorOf, isEvent, type GameEvent } from '../api/types'
import { t } from '../i18n/i18n.svelte'
import type { Game } from '../state/games.svelte'
import { standing } from './log'
import { cardsText, whoIs, type People } from './sentences'

export interface LastMove {
  text: string
  /** Points won or lost by it. */
  gain: number
}

export function lastMoves(game: Game, events: readonly GameEvent[], people: People): Map<number, LastMove> {
  const turns = new Map<number, GameEvent[]>()
  for (const [, event] of standing(events)) {
    const seat = actorOf(event)
    if (seat === undefined) continue
    if (event.event === 'turn') turns.set(seat, [])
    else turns.get(seat)?.push(event)
  }
  const moves = [...turns].map(([seat, turn]) => [seat, moveOf(game, turn, people)] as const)
  return new Map(moves.filter((one): one is [number, LastMove] => one[1] !== null))
}

function moveOf(game: Game, turn: GameEvent[], people: People): LastMove | null {
  const taken = takenText(game, turn)
  if (taken) return { text: taken, gain: 0 }
  const moves = turn.map((event) => told(game, event, people)).filter((one) => one !== null)
  return moves.at(-1) ?? null
}

function takenText(game: Game, turn: GameEvent[]): string {
  const seen = turn.flatMap((event) => (isEvent(event, 'take', 'draw') && event.card ? [event.card] : []))
  const unseen = turn.filter((event) => event.event === 'draw' && !event.card).length
  if (seen.length + unseen === 0) return ''
  return t('last.took', { cards: seen.length ? cardsText(game, seen) : 'none', unseen })
}

function told(game: Game, event: GameEvent, people: People): LastMove | null {
  switch (event.event) {
    case 'claim':
      return { text: game.routeName(event.route), gain: event.points }
    case 'tunnel_abandon':
      return plain(t('last.gave_up', { route: game.routeName(event.route) }))
    case 'station':
    case 'harbour':
      return plain(t('last.built', { kind: event.event, city: game.place(event.city) }))
    case 'keep_tickets':
      return plain(t('last.tickets', { count: event.kept_count ?? event.kept?.length ?? 0 }))
    case 'exchange':
      return { text: t('last.exchanged'), gain: event.points }
    case 'place':
      return plain(t('last.placed', { cards: cardsText(game, event.cards) }))
    case 'rob':
      return plain(t('last.robbed', { who: whoIs(people, event.victim) }))
    case 'pass':
      return plain(t('last.passed'))
    default:
      return null
  }
}

function plain(text: string): LastMove {
  return { text, gain: 0 }
}
