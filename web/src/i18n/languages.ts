/** The languages there are: every folder of words that has a `language.json`. Nothing here has to change for a new one. */
import messages from 'virtual:words'

interface Facts {
  /** The language's name for itself. */
  name: string
  short: string
  /** If it is not complete, English fills the gaps. */
  complete: boolean
}

type Loader<T> = () => Promise<T>

export const ENGLISH = 'en'
const facts = import.meta.glob<Facts>('$words/*/language.json', { eager: true, import: 'default' })

/** By code, complete ones first. */
export const LANGUAGES: ReadonlyMap<string, Facts> = new Map(
  Object.entries(facts)
    .map(([path, one]): [string, Facts] => [languageIn(path), one])
    .sort(([a, one], [b, other]) => Number(other.complete) - Number(one.complete) || a.localeCompare(b)),
)

/** `pl` in `…/words/pl/language.json` */
function languageIn(path: string): string {
  return /words\/([^/]+)\//.exec(path)![1]!
}

type Messages = Record<string, string>

/** What the language's own folder contains: messages by key, and by the name of a set of terms those that it words differently. */
export async function messagesOf(language: string): Promise<{ messages: Messages; terms: Record<string, Messages> }> {
  const { default: own, terms } = await messages[language]!()
  return { messages: own, terms }
}

/** A file of the language's folder, or the English one if the language has none. */
export function inLanguage<T>(files: Record<string, Loader<T>>, language: string, name: string): Loader<T> | undefined {
  const find = (wanted: string) => Object.entries(files).find(([path]) => path.endsWith(`words/${wanted}/${name}`))?.[1]
  return find(language) ?? find(ENGLISH)
}
