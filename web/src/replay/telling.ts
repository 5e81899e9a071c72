/** A moment of a replay in words, and what it highlights on the board. */
import { actorOf, type GameEvent } from '../api/types'
import type { Highlight } from '../board/highlight'
import { decisionText } from '../game/decisions'
import { lines } from '../game/log'
import { placesOf } from '../game/sentences'
import { t } from '../i18n/i18n.svelte'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'
import type { Film } from './film'

/** A line of the list of moves, and the moment at which it is complete. */
export interface Move {
  key: number
  moment: number
  seat: number | undefined
  text: string
  detail: string
  opens: boolean
}

/** The outcome of a decision, or the decision itself if there is none yet. */
export function words(game: Game, film: Film, moment: number): string[] {
  if (moment === 0) return film.isWhole ? [t('replay.start')] : [t('replay.unfinished'), t('replay.start')]
  const told = lines(game, withoutTurn(film.eventsOf(moment)), film.people).map((line) => (line.detail ? `${line.text} (${line.detail})` : line.text))
  return told.length > 0 ? told : [decided(game, film, moment)]
}

function withoutTurn(events: GameEvent[]): GameEvent[] {
  return events.filter((event) => event.event !== 'turn')
}

function decided(game: Game, film: Film, moment: number): string {
  const { seat, decision } = film.replay.steps[moment - 1]!
  const name = nameOf(film.people[String(seat)], seat)
  if (!decision) return t('replay.secret', { name })
  return t('replay.decides', { name, decision: decisionText(game, decision, film.position(moment - 1).row) })
}

/** The route or building that a moment is about. */
export function highlightOf(game: Game, film: Film, moment: number): Highlight | null {
  const shown = film.eventsOf(moment).find((event) => 'route' in event || 'city' in event)
  if (shown) return { ...placesOf(game, shown), tone: 'log', seat: actorOf(shown) }
  const route = film.position(moment).payment?.route
  return route ? { routes: [route], tone: 'hint', seat: film.replay.steps[moment - 1]?.seat } : null
}

/** All moves of the game, as in its log. */
export function movesOf(game: Game, film: Film): Move[] {
  const events: GameEvent[] = []
  const moments: number[] = []
  for (let moment = 0; moment <= film.last; moment++) {
    for (const event of film.eventsOf(moment)) {
      events.push(event)
      moments.push(moment)
    }
  }
  const told = lines(game, events, film.people)
  return told.map((line, place) => ({ ...line, moment: moments[(told[place + 1]?.key ?? events.length) - 1]! }))
}
