/** What the people and bots at a table are called. */
import type { Person } from '../api/types'
import { say, t } from '../i18n/i18n.svelte'
import { furtherBot } from '../state/games.svelte'

/** A bot that came by itself: it sits there like a person. */
const GUEST = 'bot:guest/'

/** One of the server's own bots. */
export function isBot(person: Pick<Person, 'player'> | undefined): boolean {
  return (person?.player.startsWith('bot:') ?? false) && !isProgram(person)
}

export function isProgram(person: Pick<Person, 'player'> | undefined): boolean {
  return person?.player.startsWith(GUEST) ?? false
}

/** A level in the page's language, or the name of one of the server's further bots. */
export function levelName(level: string): string {
  return say(`level.${level}`) ?? furtherBot(level)?.name ?? level
}

/** The character that plays at a level; none has the name of one of the server's further bots. */
export function characterName(level: string): string | undefined {
  return say(`character.${level}`)
}

/** A bot: its character and level, with a number if several play; or the name of one of the server's further bots. */
export function botName(level: string, number?: string): string {
  const [character, of] = [characterName(level), levelName(level)]
  if (character) return t('people.character', { name: number ? `${character} ${number}` : character, level: of })
  return number ? `${t('people.bot', { level: of })} ${number}` : t('people.bot', { level: of })
}

/** A name for where there is little room: what tells one at the table from the others, and apart from it the level of a bot. */
export function partsOfName(person: Person | undefined, seat: number): { own: string; level?: string } {
  const level = person && isBot(person) ? person.player.slice(4) : undefined
  const character = level === undefined ? undefined : characterName(level)
  if (level === undefined || character === undefined) return { own: nameOf(person, seat) }
  const number = numberOf(person)
  return { own: number ? `${character} ${number}` : character, level: levelName(level) }
}

/** Of a bot, if several play at its level. */
function numberOf(person: Person | undefined): string | undefined {
  return / (\d+)$/.exec(person?.name ?? '')?.[1]
}

/** A person's own name; that of a program, as a bot's; a bot's character and level; a free seat. */
export function nameOf(person: Person | undefined, seat: number): string {
  if (person && isBot(person)) {
    return botName(person.player.slice(4), numberOf(person))
  }
  if (isProgram(person) && person?.name) return t('people.program', { name: person.name })
  return person?.name ?? t('people.free_seat', { seat: seat + 1 })
}
