/** The page's words: ICU messages by key, with plural forms. One language is loaded at a time, with English where it has gaps. */
import { IntlMessageFormat, type PrimitiveType } from 'intl-messageformat'
import type { Key } from './keys'
import { ENGLISH, LANGUAGES, messagesOf } from './languages'

export type { Key }
export type Values = Record<string, PrimitiveType>

const formats = new Map<string, IntlMessageFormat>()

class Words {
  language = $state(ENGLISH)
  own = $state.raw<Record<string, string>>({})
  english = $state.raw<Record<string, string>>({})
  /** All sets of terms that the language has, and the names of those in use. */
  terms = $state.raw<Record<string, Record<string, string>>>({})
  used = $state.raw<readonly string[]>([])
}

const words = new Words()

export function language(): string {
  return words.language
}

/** The browser's first language that we speak completely: people choose a partly translated one themselves. */
export function browsersLanguage(): string {
  const wanted = navigator.languages.map((one) => one.slice(0, 2).toLowerCase())
  return wanted.find((one) => LANGUAGES.get(one)?.complete) ?? ENGLISH
}

/** A language chosen earlier that no longer exists becomes English. */
export async function speak(wanted: string): Promise<void> {
  const next = LANGUAGES.has(wanted) ? wanted : ENGLISH
  const [own, english] = await Promise.all([messagesOf(next), LANGUAGES.get(next)?.complete ? null : messagesOf(ENGLISH)])
  formats.clear()
  Object.assign(words, { own: own.messages, terms: own.terms, english: english?.messages ?? {}, language: next })
  if (typeof document !== 'undefined') markPage(next)
}

/** For screen readers, and for the name under which the page is installed. */
function markPage(language: string): void {
  document.documentElement.lang = language
  document.querySelector('link[rel=manifest]')?.setAttribute('href', `/manifest/${language}.webmanifest`)
}

/** From now on in the terms of a game: sets of messages that its board names, later ones prevailing. Returns the way back to general terms. */
export function speakInTerms(names: readonly string[]): () => void {
  words.used = names
  return () => {
    if (words.used === names) words.used = []
  }
}

/** The message of a key, with its values. */
export function t(key: Key, values?: Values): string {
  return say(key, values) ?? key
}

/** For keys that are put together at run time (`event.claim`, `refused.full`); undefined if there is no such message. */
export function say(key: string, values?: Values): string | undefined {
  const set = words.used.findLast((name) => words.terms[name]?.[key] !== undefined)
  const message = set ? words.terms[set]![key] : (words.own[key] ?? words.english[key])
  if (message === undefined) return undefined
  // the plural forms of an English message are English wherever it is shown
  return formatted(message, values, key in words.own ? words.language : ENGLISH)
}

/** A message that stands outside the catalogues, such as the caption of an example. */
export function formatted(message: string, values?: Values, spoken = words.language): string {
  if (!message.includes('{')) return message
  let format = formats.get(message)
  if (!format) formats.set(message, (format = new IntlMessageFormat(message, spoken, undefined, { ignoreTag: true })))
  return String(format.format(values))
}

/** The keys of all messages that begin so. */
export function keysOf(beginning: string): string[] {
  return Object.keys({ ...words.english, ...words.own }).filter((key) => key.startsWith(beginning))
}

/** `red, blue and green` in the page's language. */
export function listed(names: string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(words.language, { type }).format(names)
}
