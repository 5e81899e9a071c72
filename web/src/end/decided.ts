/** What decided a game, in one sentence: where the winner was furthest ahead of the next player. */
import { t } from '../i18n/i18n.svelte'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'
import { partsOf, pointsOf, ranked, type Count, type Part, type People } from './count'

/** Null if nobody is behind the winner, or it took a tie-break. */
export function decidedBy(count: Count, game: Game, people: People): string | null {
  const [first, second] = ranked(count)
  if (first === undefined || second === undefined || count.seats[first]!.total === count.seats[second]!.total) return null
  const ahead = partsOf(count).map((part) => ({ part, gap: pointsOf(count.seats[first]!, part) - pointsOf(count.seats[second]!, part) }))
  const [most] = ahead.sort((a, b) => b.gap - a.gap)
  if (!most || most.gap <= 0) return null
  const margin = count.seats[first]!.total - count.seats[second]!.total
  const ticket = most.part === 'tickets' ? byTicket(count, game, people, first, second, margin) : null
  return ticket ?? byPart(count, people, most.part, most.gap, first, second)
}

function byPart(count: Count, people: People, part: Part, gap: number, first: number, second: number): string {
  const name = nameOf(people[String(second)], second)
  if (part === 'longest_path') return t('decided.longest_path', { length: count.seats[first]!.longest_path!.length, points: gap })
  return t('decided.part', { part: t(`end.part.${part}`), gap, name })
}

/** The ticket that weighed most: the winner's best one, or one that the next player missed. Null if the game would have ended the same without it. */
function byTicket(count: Count, game: Game, people: People, first: number, second: number, margin: number): string | null {
  const best = count.seats[first]!.tickets.filter(({ done }) => done).reduce((most, one) => Math.max(most, one.points), 0)
  const missed = count.seats[second]!.tickets.filter(({ done }) => !done).sort((a, b) => a.points - b.points)[0]
  if (2 * Math.max(best, -(missed?.points ?? 0)) < margin) return null
  if (missed && -2 * missed.points > best) {
    return t('decided.missed', { ticket: game.ticketName(missed.ticket), points: -missed.points, name: nameOf(people[String(second)], second) })
  }
  const ticket = count.seats[first]!.tickets.find(({ done, points }) => done && points === best)
  return t('decided.ticket', { ticket: ticket ? game.ticketName(ticket.ticket) : '', points: best })
}
