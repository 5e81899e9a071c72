/** What the people and bots at a table are called. */
import type { Person } from '../api/types'
import { say, t } from '../i18n/i18n.svelte'

export function isBot(person: Person | undefined): boolean {
  return person?.player.startsWith('bot:') ?? false
}

export function levelName(level: string): string {
  return say(`level.${level}`) ?? level
}

/** A person's own name; a bot's level, with a number if several play; a free seat. */
export function nameOf(person: Person | undefined, seat: number): string {
  if (person && isBot(person)) {
    const number = /\d+$/.exec(person.name ?? '')?.[0]
    const bot = t('people.bot', { level: levelName(person.player.slice(4)) })
    return number ? `${bot} ${number}` : bot
  }
  return person?.name ?? t('people.free_seat', { seat: seat + 1 })
}
