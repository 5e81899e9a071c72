/** What each seat did in its last turn, in a few words for its panel: a route and its points, the cards taken. */
import { actorOf, isEvent, type GameEvent } from '../api/types'
import { say, t } from '../i18n/i18n.svelte'
import type { Game } from '../state/games.svelte'
import { standing } from './log'
import { cardsText, valuesOf, type People } from './sentences'

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

/** Events that are worth a few words have a message, `last.claim`, with the same values as their line of the log. */
function told(game: Game, event: GameEvent, people: People): LastMove | null {
  const text = say(`last.${event.event}`, valuesOf(game, event, people))
  return text === undefined ? null : { text, gain: 'points' in event ? event.points : 0 }
}
