/** What a table can be like: the choices of the form, and what it begins with. */
import { t } from '../i18n/i18n.svelte'
import type { Plan, Wanted } from './opening'
import { lasting } from './when'

export const TURN_SECONDS = [null, 30, 60, 120, 300, 86_400, 259_200] as const
export const GRACE_SECONDS = [0, 30, 60, 300, 3_600, 86_400] as const
export const PACES = [0, 0.5, 1, 2] as const

export interface Form {
  game: string
  seats: Plan[]
  open: boolean
  spectators: boolean
  first_seat: number | null
  turn_seconds: number | null
  grace_seconds: number
  stand_in: Exclude<Plan, 'person'>
  pace: number
  by_hand: boolean
  look: boolean
}

export function firstForm(): Form {
  return {
    game: 'europe',
    seats: ['person', 'person', 'normal'],
    open: false,
    spectators: true,
    first_seat: null,
    turn_seconds: null,
    grace_seconds: 60,
    stand_in: 'normal',
    pace: 1,
    by_hand: false,
    look: false,
  }
}

export function wantedTable({ by_hand, look, ...form }: Form, name: string): Wanted {
  const options = { choose_tickets_by_hand: by_hand, look_into_own_pile: look }
  return { ...form, name, ...(form.game === 'card-game' ? { options } : {}) }
}

export function turnText(seconds: number | null | undefined): string {
  return seconds ? lasting(seconds) : t('table.no_time')
}

export function graceText(seconds: number): string {
  return seconds ? lasting(seconds) : t('table.at_once')
}

export function paceText(pace: number): string {
  if (pace === 0) return t('table.pace_at_once')
  if (pace < 1) return t('table.pace_quick')
  return pace > 1 ? t('table.pace_slow') : t('table.pace_normal')
}
