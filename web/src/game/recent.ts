/** What rivals have claimed and built since the viewer's last turn; it stays marked until the viewer's next turn ends. */
import { isEvent, isOfKind, type GameEvent } from '../api/types'
import type { Recent } from '../board/highlight'
import { standing } from './log'

const SEEN_BY_SPECTATORS = 4 // moves

/** Everything since the viewer's last complete turn. */
export function sinceMyTurn(events: readonly GameEvent[], you: number | null): GameEvent[] {
  const stood = standing(events).map(([, event]) => event)
  return stood.slice(endOfLastTurn(stood, you))
}

export function recentMoves(events: readonly GameEvent[], you: number | null): Recent[] {
  const moves = sinceMyTurn(events, you).flatMap((event): Recent[] => {
    if (isEvent(event, 'claim') && event.seat !== you) return [{ seat: event.seat, route: event.route }]
    return isOfKind(event, 'building') && event.seat !== you ? [{ seat: event.seat, city: event.city }] : []
  })
  return you === null ? moves.slice(-SEEN_BY_SPECTATORS) : moves
}

/** Where the turn after the viewer's last complete one begins. */
function endOfLastTurn(events: GameEvent[], you: number | null): number {
  const latest = events.findLastIndex((event) => event.event === 'turn' && event.seat !== you)
  const own = events.slice(0, latest + 1).findLastIndex((event) => event.event === 'turn' && event.seat === you)
  const next = events.slice(own + 1).findIndex((event) => event.event === 'turn')
  return own < 0 ? 0 : own + 1 + next
}
