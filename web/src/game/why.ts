/** Why something is not possible now: the server's reason in words. */
import { get } from '../api/http'
import type { CardFacts, Why } from '../api/types'
import { listed, say, t, type Values } from '../i18n/i18n.svelte'
import { cardName, colourName, wildName } from '../look/cards'
import type { Game } from '../state/games.svelte'
import type { Table } from '../state/table.svelte'
import { piecesOf, whoIs, type People } from './sentences'

const MOST_NAMED = 4 // kinds of cards in one sentence
/** Defaults for values that a reason may omit. */
const LEFT_OUT: Values = { count: 0, length: 0, ferry: 0, cards: 'none', card: '', colour: '', city: '', ticket: '', building: 'station', deck: 'only' }

/** Is a decision legal for me, and if not, why? If it is not my turn, the answer is as if it were. */
export function askWhy(table: Table, decision: string): Promise<Why> {
  return get<Why>(`/api/tables/${table.id}/why?decision=${encodeURIComponent(decision)}`)
}

export function whyText(game: Game, reason: string, values: Record<string, unknown>, people: People): string {
  const known: Values = { ...LEFT_OUT, ...plainValues(values), ...namedValues(game, values, people) }
  return say(`why.${variant(reason, values)}`, known) ?? t('why.other')
}

/** Some reasons have several sentences. */
function variant(reason: string, values: Record<string, unknown>): string {
  if (reason === 'finish_first') return `finish.${String(values.phase).replaceAll(' ', '_')}`
  if (reason === 'needs_for_building' && values.count === undefined) return 'far_from_building'
  return reason
}

function plainValues(values: Record<string, unknown>): Values {
  const plain = Object.entries(values).filter(([, value]) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
  return Object.fromEntries(plain) as Values
}

/** Ids become names in the page's language. */
function namedValues(game: Game, values: Record<string, unknown>, people: People): Values {
  const named: Values = { wild: wildName(game), wild_kind: game.facts.words.wild, who: typeof values.seat === 'number' ? whoIs(people, values.seat) : '' }
  if (Array.isArray(values.cards)) named.cards = cardsNamed(game, values.cards as string[], values.route !== undefined)
  if (typeof values.card === 'string') named.card = cardName(game, values.card)
  if (typeof values.colour === 'string') named.colour = colourName(values.colour)
  if (typeof values.city === 'string') named.city = game.place(values.city)
  if (typeof values.route === 'string') named.route = game.routeName(values.route)
  if (typeof values.ticket === 'string') named.ticket = game.ticketName(values.ticket)
  if (typeof values.deck === 'string' && game.facts.decks.length < 2) named.deck = 'only'
  return { ...named, ...piecesNamed(game, values) }
}

/** `red or locomotive`; `none` if the list would be long. */
function cardsNamed(game: Game, cards: string[], isForRoute: boolean): string {
  const kinds = isForRoute ? cards.filter((card) => !hasTwin(game, card, cards)) : cards
  return kinds.length > MOST_NAMED ? 'none' : listed(kinds.map((card) => cardName(game, card)), 'disjunction')
}

/** Does the card carry an anchor, and is one of the cards the same without it? For claiming a route, both are alike. */
function hasTwin(game: Game, card: string, cards: string[]): boolean {
  const facts = game.cards.get(card)
  const others = cards.map((other) => game.cards.get(other))
  return Boolean(facts?.harbour) && others.some((other) => other && !other.harbour && besidesAnchor(other) === besidesAnchor(facts!))
}

function besidesAnchor({ deck, colour, covers }: CardFacts): string {
  return `${deck} ${colour} ${covers}`
}

/** For a route, the kind of pieces it takes; for an exchange, both kinds, in the supply and in the box. */
function piecesNamed(game: Game, values: Record<string, unknown>): Values {
  const pieces = (values.pieces ?? {}) as Record<string, number>
  const box = (values.box ?? {}) as Record<string, number>
  const [trains, ships] = [pieces.trains ?? 0, pieces.ships ?? 0]
  const isSea = typeof values.route === 'string' && Boolean(game.routes.get(values.route)?.sea)
  const kind = isSea ? 'ships' : piecesOf(game)
  return { trains, ships, box_trains: box.trains ?? 0, box_ships: box.ships ?? 0, kind, left: isSea ? ships : trains }
}
