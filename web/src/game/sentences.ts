/**
 * What happened, in words: one message for each event, `event.claim`. Its values follow from the types of the event's fields, here and in Python's
 * `wording.py` alike (docs/languages.md), so an event needs no code here. Names stand alone and verbs are in the present tense, so that no language has to decline a name.
 */
import { actorOf, type EventName, type EventOf, type GameEvent, type Person } from '../api/types'
import { EVENTS } from '../api/vocabulary'
import { say, type Values } from '../i18n/i18n.svelte'
import { cardName, colourName, wildName } from '../look/cards'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'

export type People = Record<string, Person>

export interface Places {
  routes: string[]
  cities: string[]
}

/** What a field can hold: the types of all fields of all events. */
type FieldType = { [Name in EventName]: TypesIn<(typeof EVENTS)[Name]> }[EventName]
type TypesIn<Fields> = { [Name in keyof Fields]: Fields[Name] extends { type: infer Type } ? Type : never }[keyof Fields]

interface Field {
  type: FieldType
  /** Viewers who may not see a list get its length, under this name. */
  counted_as?: string
}

/** Stands in for a field that the viewer may not see, or that the event does not have; messages choose by it. */
const HIDDEN = 'hidden'

/** `3 × green, locomotive` */
export function cardsText(game: Game, cards: readonly (string | null)[]): string {
  const counts = new Map<string, number>()
  for (const card of cards) if (card) counts.set(card, (counts.get(card) ?? 0) + 1)
  return [...counts].map(([card, count]) => (count > 1 ? `${count}\u00a0×\u00a0${cardName(game, card)}` : cardName(game, card))).join(', ')
}

export function whoIs(people: People, seat: number): string {
  return nameOf(people[String(seat)], seat)
}

/** Which deck, if there are two; messages choose by it. */
export function deckOf(game: Game, deck: string): string {
  return game.facts.decks.length > 1 ? deck : 'only'
}

/** Null if there is nothing to say. */
export function sentence(game: Game, event: GameEvent, people: People): string | null {
  return say(`event.${event.event}`, valuesOf(game, event, people)) ?? null
}

/** What a message about an event can name. */
export function valuesOf(game: Game, event: GameEvent, people: People): Values {
  const actor = actorOf(event)
  const values: Values = { who: actor === undefined ? '' : whoIs(people, actor), wild: wildName(game), pieces: piecesOf(game) }
  const fields: Record<string, Field> = EVENTS[event.event]
  const held = new Map<string, unknown>(Object.entries(event))
  for (const [name, field] of Object.entries(fields)) Object.assign(values, fieldValues(game, held, name, field, people))
  return values
}

function fieldValues(game: Game, held: Map<string, unknown>, name: string, field: Field, people: People): Values {
  const count = field.counted_as && held.get(field.counted_as)
  if (!held.has(name)) return { [name]: HIDDEN, ...(typeof count === 'number' && { [`${name}_count`]: count }) }
  const said = valueSaid(game, field.type, held.get(name), people)
  return Object.fromEntries(Object.entries(said).map(([suffix, one]) => [name + suffix, one]))
}

function valueSaid<Type extends FieldType>(game: Game, type: Type, value: unknown, people: People): Values {
  const is: Guard<Held[Type]> = IS[type]
  return is(value) ? SAID[type](game, value, people) : { '': HIDDEN }
}

/** What fields of a type hold. */
interface Held {
  seat: number
  route: string
  city: string
  card: string
  deck: string
  colour: string
  space: number
  number: number
  flag: boolean
  cards: string[]
  row: (string | null)[]
  tickets: string[]
  completions: { ticket: string }[]
  text: string
  time: number
  destination: string
}

type Guard<Value> = (value: unknown) => value is Value
type Said<Value> = (game: Game, value: Value, people: People) => Values

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isListOf = <One>(is: Guard<One>): Guard<One[]> => (value): value is One[] => Array.isArray(value) && value.every(is)

const IS: { [Type in FieldType]: Guard<Held[Type]> } = {
  seat: isNumber,
  route: isText,
  city: isText,
  card: isText,
  deck: isText,
  colour: isText,
  space: isNumber,
  number: isNumber,
  flag: (value) => typeof value === 'boolean',
  cards: isListOf(isText),
  row: isListOf((card) => card === null || isText(card)),
  tickets: isListOf(isText),
  completions: isListOf((one): one is { ticket: string } => typeof one === 'object' && one !== null && 'ticket' in one && isText(one.ticket)),
  text: isText,
  time: isNumber,
  destination: isText,
}

const plain: Said<string | number> = (_, value) => ({ '': value })

const cardsSaid: Said<(string | null)[]> = (game, cards) => ({
  '': cardsText(game, cards),
  _count: cards.filter(Boolean).length,
  _wild: cards.filter((card) => card === 'wild').length,
})

function ticketsSaid(game: Game, tickets: string[]): Values {
  const points = tickets.map((ticket) => game.tickets.get(ticket)?.points ?? 0)
  const named = tickets.map((ticket, number) => `${game.ticketName(ticket)} (${points[number]})`)
  return { '': named.join(', '), _count: tickets.length, _points: points.reduce((sum, one) => sum + one, 0) }
}

/** An event's values by the types of its fields: the value itself, and more under the field's name with a suffix. */
const SAID: { [Type in FieldType]: Said<Held[Type]> } = {
  seat: (_, seat, people) => ({ '': whoIs(people, seat), _number: seat + 1 }),
  route: (game, route) => ({ '': game.routeName(route) }),
  city: (game, city) => ({ '': game.place(city) }),
  card: (game, card) => ({ '': cardName(game, card) }),
  deck: (game, deck) => ({ '': deckOf(game, deck) }),
  colour: (_, colour) => ({ '': colourName(colour) }),
  space: (_, space) => ({ '': space + 1 }),
  number: (_, number) => ({ '': number, _lost: Math.max(0, -number) }),
  flag: (_, flag) => ({ '': flag ? 'yes' : 'no' }),
  cards: cardsSaid,
  row: cardsSaid,
  tickets: ticketsSaid,
  completions: (game, done) => ticketsSaid(game, done.map((one) => one.ticket)),
  text: plain,
  time: plain,
  destination: plain,
}

/** What the event's line highlights on the board. */
export function placesOf(game: Game, event: GameEvent): Places {
  if (!game.layout) return { routes: [], cities: [] }
  const route = 'route' in event ? game.routes.get(event.route) : undefined
  if (route) return { routes: [route.id], cities: [route.a, route.b] }
  if ('city' in event) return { routes: [], cities: [event.city] }
  return { routes: [], cities: [...new Set(ticketsIn(event).flatMap((ticket) => game.placesOf(ticket)))] }
}

function ticketsIn(event: GameEvent): string[] {
  if (event.event === 'keep_tickets') return event.kept ?? []
  return event.event === 'offer_tickets' ? (event.tickets ?? []) : []
}

/** What kind of pieces a game has; messages choose by it. */
export function piecesOf(game: Game): 'trains' | 'buses' | 'taxis' | 'both' | 'none' {
  const kinds = Object.keys(game.facts.pieces ?? {}).length
  if (kinds === 0) return 'none'
  return kinds > 1 ? 'both' : game.facts.words.pieces
}

/** What somebody said: a text, or a phrase in the page's language. */
export function spoken(event: EventOf<'say'>): string {
  return event.phrase ? (say(`phrase.${event.phrase}`) ?? event.phrase) : (event.text ?? '')
}
