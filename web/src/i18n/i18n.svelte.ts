/** Words in three languages: ICU messages by key, with plural forms; one language is loaded at a time. */
import { IntlMessageFormat, type PrimitiveType } from 'intl-messageformat'
import type { Language } from '../api/types'
import type english from './en'

export type Key = keyof typeof english
export type Values = Record<string, PrimitiveType>

export const LANGUAGES: Record<Language, string> = { en: 'English', pl: 'Polski', uk: 'Українська' }
const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('./en'),
  pl: () => import('./pl'),
  uk: () => import('./uk'),
}
const formats = new Map<string, IntlMessageFormat>()

class Words {
  language = $state<Language>('en')
  catalogue = $state.raw<Record<string, string>>({})
}

const words = new Words()

export function language(): Language {
  return words.language
}

/** The browser's first language that we speak. */
export function browsersLanguage(): Language {
  const wanted = navigator.languages.map((one) => one.slice(0, 2).toLowerCase())
  return wanted.find((one): one is Language => one in LANGUAGES) ?? 'en'
}

export async function speak(next: Language): Promise<void> {
  const loaded = await loaders[next]()
  formats.clear()
  words.catalogue = loaded.default
  words.language = next
  document.documentElement.lang = next
}

/** The message of a key, with its values. */
export function t(key: Key, values?: Values): string {
  return say(key, values) ?? key
}

/** For keys that are put together at run time (`event.claim`, `refused.full`); undefined if the catalogue has none. */
export function say(key: string, values?: Values): string | undefined {
  const message = words.catalogue[key]
  if (message === undefined) return undefined
  if (!message.includes('{')) return message
  let format = formats.get(key)
  if (!format) formats.set(key, (format = new IntlMessageFormat(message, words.language, undefined, { ignoreTag: true })))
  return format.format(values) as string
}

/** `red, blue and green` in the page's language. */
export function listed(names: string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(words.language, { type }).format(names)
}
