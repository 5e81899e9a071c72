/** The rulebooks of the games in the page's language, loaded when they are needed. */
import { get } from '../../api/http'
import { language } from '../../i18n/i18n.svelte'
import { inLanguage } from '../../i18n/languages'
import { gamesInOrder, isOwn } from '../../state/games.svelte'
import type { Step } from '../../guide/steps'
import type { Example, Told } from './examples/examples'

export interface Rule {
  id: string
  text: string
  /** Our own choice, where the printed rulebook is silent or unclear: the whole rule, or what is added to its text. */
  ruling?: true | string
  /** The printed rulebook says otherwise than the text. */
  deviation?: { printed: string; why: string; option?: string }
  /** The message that names an option of the table which the rule is about. */
  option?: string
}

export interface Section {
  id: string
  title: string
  rules: Rule[]
}

export interface Rulebook {
  title: string
  summary: string[]
  sections: Section[]
  /** The guide of a first game, of a board from outside. */
  guide?: Step[]
  /** What is said about the worked examples, by their ids. */
  examples?: Record<string, Told>
  /** The examples themselves, of a board from outside. */
  worked?: Example[]
}

/** The rules that apply to every game, in a book of their own. */
export const SHARED = 'shared'
const files = import.meta.glob<Rulebook>('$words/*/rules/*.json', { import: 'default' })

function loaderOf(name: string): (() => Promise<Rulebook>) | undefined {
  return inLanguage(files, language(), `rules/${name}.json`) ?? (isOwn(name) ? () => get<Rulebook>(`/api/games/${name}/rules/${language()}`) : undefined)
}

/** Is it the book of a game, with a board or cards of its own? */
export function isGame(name: string): boolean {
  return name !== SHARED && isRulebook(name)
}

export function isRulebook(name: string): boolean {
  return loaderOf(name) !== undefined
}

/** In the order of the games. */
export function gamesWithRules(): string[] {
  return gamesInOrder()
    .map(({ game }) => game)
    .filter(isRulebook)
}

/** The book that a rule is in, by the beginning of its id. */
function bookOf(rule: string): string {
  const begins = rule.split('-')[0]
  return gamesInOrder().find(({ rule_ids }) => rule_ids === begins)?.game ?? SHARED
}

export function rulebook(name: string): Promise<Rulebook> {
  const load = loaderOf(name)
  return load ? load() : Promise.reject(new Error(`no rulebook ${name}`))
}

/** `/rules/GAME#EU-12` */
export function addressOf(rule: string): string {
  return `/rules/${bookOf(rule)}#${rule}`
}

/** Rules by their ids, from any book; those that do not exist are left out. */
export async function rulesOf(ids: string[]): Promise<Rule[]> {
  const names = [...new Set(ids.map(bookOf))]
  const books = await Promise.all(names.map(rulebook))
  const all = new Map(books.flatMap((book) => book.sections.flatMap((section) => section.rules)).map((rule) => [rule.id, rule]))
  return ids.map((id) => all.get(id)).filter((rule) => rule !== undefined)
}

const SECTIONS: Record<string, string> = {
  'opening tickets': 'setup',
  supply: 'setup',
  'second card': 'cards',
  fill: 'cards',
  payment: 'routes',
  tunnel: 'tunnels',
  'tickets offered': 'tickets',
  placing: 'placing',
  'completing tickets': 'pass',
  over: 'end',
}

/** The ids of the rules about a phase of a game; none if its book has no such section: then the summary helps most. */
export async function rulesAbout(game: string, phase: string): Promise<string[]> {
  const wanted = SECTIONS[phase] ?? 'turn'
  const section = (await rulebook(game)).sections.find((one) => one.id === wanted)
  return section?.rules.map((rule) => rule.id) ?? []
}

interface Piece {
  text: string
  bold?: boolean
  rule?: string
}

const MARKED = /\*\*(.+?)\*\*|\b[A-Z]+-\d+\b/g

/** A rule's text in pieces: plain, bold, and the ids of other rules. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const found of text.matchAll(MARKED)) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index) })
    pieces.push(found[1] ? { text: found[1], bold: true } : { text: found[0], rule: found[0] })
    end = found.index + found[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}

function wordsOf({ id, text, ruling, deviation }: Rule): string {
  return [id, text, ruling === true ? '' : ruling, deviation?.printed, deviation?.why].join(' ')
}

/** The sections, with only the rules that contain every search word. */
export function found(book: Rulebook, wanted: string): Section[] {
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const fits = (rule: Rule) => words.every((word) => wordsOf(rule).toLocaleLowerCase().includes(word))
  return book.sections.map((section) => ({ ...section, rules: section.rules.filter(fits) })).filter((section) => section.rules.length > 0)
}
