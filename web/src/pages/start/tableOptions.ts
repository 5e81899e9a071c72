/** The options of a new table: the choices in the form, and the defaults. */
import type { CreateTable, Level } from '../../api/types'
import { t } from '../../i18n/i18n.svelte'
import { prefs } from '../../state/prefs.svelte'
import { listingOf } from '../../state/games.svelte'
import type { Plan } from './opening'
import { lasting } from '../../look/times'

export const TURN_SECONDS = [null, 30, 60, 120, 300, 86_400, 259_200] as const
export const GRACE_SECONDS = [0, 30, 60, 300, 3_600, 86_400] as const
const NO_OPTIONS = { complete_tickets_for_me: false, may_draw_one: false, look_into_own_pile: false }

export interface Form {
  game: string // if empty, the first of the server's list
  seats: Plan[]
  open: boolean
  spectators: boolean
  first_seat: number | null
  turn_seconds: number | null
  grace_seconds: number
  stand_in: Level
  pace: number
  chance: boolean | null // null: if several people play
  options: typeof NO_OPTIONS
}

export function firstForm(): Form {
  return {
    game: '',
    seats: ['person', 'person', 'normal'],
    open: false,
    spectators: true,
    first_seat: null,
    turn_seconds: null,
    grace_seconds: 60,
    stand_in: 'normal',
    pace: prefs.pace,
    chance: null,
    options: { ...NO_OPTIONS },
  }
}

export function wantedTable({ options, ...form }: Form, name: string): CreateTable {
  const wanted = { ...NO_OPTIONS }
  for (const option of listingOf(form.game)?.options ?? []) wanted[option] = options[option]
  return { ...form, name, options: wanted }
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
  return pace > 2 ? t('table.pace_slow') : t('table.pace_normal')
}
