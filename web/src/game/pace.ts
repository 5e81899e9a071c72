/** How fast the bots play, and who may change it. */
import type { TableState } from '../api/types'
import { t } from '../i18n/i18n.svelte'
import { isBot } from '../look/people'

/** Seconds per move: instant, fast, normal, slow. */
export const PACES = [0, 0.5, 1.2, 3] as const

/** The host, or whoever plays against bots alone. */
export function setsPace(state: TableState | null): boolean {
  if (!state || state.you === undefined || state.status !== 'playing') return false
  const people = Object.values(state.seats)
  return people.some(isBot) && (state.host === state.you || people.filter((person) => !isBot(person)).length === 1)
}

/** Would skipping save time: is it somebody else's turn, and a bot's? */
export function canSkip(state: TableState | null): boolean {
  const position = state?.position
  if (!setsPace(state) || !position || position.question !== undefined || state!.settings.pace === 0) return false
  return position.choosing.some((seat) => isBot(state!.seats[String(seat)]))
}

export function paceName(pace: number): string {
  if (pace === 0) return t('pace.instant')
  if (pace < 1) return t('pace.fast')
  return pace > 2 ? t('pace.slow') : t('pace.normal')
}

/** The pace nearest to one that was set elsewhere. */
export function nearestPace(pace: number): number {
  return [...PACES].sort((one, other) => Math.abs(one - pace) - Math.abs(other - pace))[0]!
}
