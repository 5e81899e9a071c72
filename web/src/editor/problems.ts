/** Problems in the page's language; those that are rare are said in English, as `branchline board check` says them. */
import { say } from '../i18n/i18n.svelte'
import type { Document, Problem } from './document'

export function problemText({ code, values, text }: Problem): { text: string; isEnglish: boolean } {
  const own = code ? say(`problem.${code}`, values) : undefined
  return { text: own ?? text, isEnglish: own === undefined }
}

/** What a problem is about, by name. */
export function aboutOf({ kind, index, setting, file }: Problem, document: Document, nameOf: (ends: { a: string; b: string }) => string): string {
  if (index !== undefined && index !== null) {
    if (kind === 'city') return document.cities[index]?.name ?? ''
    if (kind === 'route' && document.routes[index]) return nameOf(document.routes[index])
    if (kind === 'ticket' && document.tickets[index]) return nameOf(document.tickets[index])
    if (kind === 'card') return document.cards[index]?.id ?? ''
  }
  return setting ?? file
}
