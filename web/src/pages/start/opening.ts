/** Opens tables on the server. */
import { post } from '../../api/http'
import type { CreateTable } from '../../api/types'
import { t } from '../../i18n/i18n.svelte'
import { promiseNumber } from '../../state/chance'
import { prefs, setPrefs } from '../../state/prefs.svelte'
import { go } from '../../state/address.svelte'

export type Plan = CreateTable['seats'][number]

/** The name is remembered; without one, you are a guest. */
export function nameFor(typed: string): string {
  const name = typed.trim()
  if (name !== prefs.name) setPrefs({ name })
  return name || t('start.guest')
}

/** Opens a new table and goes to it. Bots play at the pace chosen last. */
export async function openTable(wanted: CreateTable): Promise<void> {
  const own = wanted.chance ?? hasSeveralPeople(wanted.seats) ? { commitment: promiseNumber() } : {}
  const { table } = await post<{ table: string }>('/api/tables', { pace: prefs.pace, ...wanted, ...own })
  go(`/t/${table}`)
}

export function hasSeveralPeople(seats: Plan[]): boolean {
  return seats.filter((plan) => plan === 'person').length > 1
}

/** The path that a link or a table's name leads to, or undefined. */
export function pathOf(text: string): string | undefined {
  const found = /(?:^|\/)(t|replay)\/([\w-]{6,})/.exec(text.trim())
  if (found) return `/${found[1]}/${found[2]}`
  return /^[\w-]{6,}$/.test(text.trim()) ? `/t/${text.trim()}` : undefined
}
