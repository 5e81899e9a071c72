/** What happened, in words: one sentence an event. Names stand alone and verbs in the present, so that no language has to decline a name. */
import type { GameEvent, Person } from '../api/types'
import { say, type Values } from '../i18n/i18n.svelte'
import { cardName, wildName } from '../look/cards'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'

export type People = Record<string, Person>

export interface Places {
  routes: string[]
  cities: string[]
}

/** An event's words: the key of its message and the values; null where there is nothing to say. */
type Worded = [key: string, values?: Values] | null
type Wording = (game: Game, event: GameEvent, people: People) => Worded

/** `3 × green, locomotive` */
export function cardsText(game: Game, cards: readonly (string | null)[]): string {
  const counts = new Map<string, number>()
  for (const card of cards) if (card) counts.set(card, (counts.get(card) ?? 0) + 1)
  return [...counts].map(([card, count]) => (count > 1 ? `${count}\u00a0×\u00a0${cardName(game, card)}` : cardName(game, card))).join(', ')
}

/** `Berlin–Roma (9)` */
export function ticketText(game: Game, ticket: string): string {
  return `${game.ticketName(ticket)} (${game.tickets.get(ticket)?.points ?? '?'})`
}

export function ticketsText(game: Game, tickets: readonly string[]): string {
  return tickets.map((ticket) => ticketText(game, ticket)).join(', ')
}

export function whoIs(people: People, seat: number): string {
  return nameOf(people[String(seat)], seat)
}

/** Where there are two decks, which of them; messages choose by it. */
export function deckOf(game: Game, event: GameEvent): string {
  return game.facts.decks.length > 1 ? String(event.deck) : 'only'
}

export function sentence(game: Game, event: GameEvent, people: People): string | null {
  const worded = WORDINGS[event.event]?.(game, event, people)
  if (!worded) return null
  const [key, values] = worded
  const who = event.seat === undefined ? '' : whoIs(people, event.seat)
  return say(`event.${key}`, { who, ...values }) ?? null
}

/** What the event's line lights on the board. */
export function placesOf(game: Game, event: GameEvent): Places {
  if (!game.layout) return { routes: [], cities: [] }
  const route = typeof event.route === 'string' ? game.routes.get(event.route) : undefined
  if (route) return { routes: [route.id], cities: [route.a, route.b] }
  if (typeof event.city === 'string') return { routes: [], cities: [event.city] }
  const tickets = idsIn(event, 'kept') ?? idsIn(event, 'tickets') ?? []
  return { routes: [], cities: [...new Set(tickets.flatMap((ticket) => game.placesOf(ticket)))] }
}

function idsIn(event: GameEvent, field: string): string[] | null {
  return Array.isArray(event[field]) ? (event[field] as string[]) : null
}

function cardsIn(game: Game, event: GameEvent): string {
  return cardsText(game, idsIn(event, 'cards') ?? [])
}

const plain =
  (key: string): Wording =>
  () => [key]

/** A route, and the cards on it. */
const onRoute =
  (key: string): Wording =>
  (game, event) => [key, { route: game.routeName(String(event.route)), cards: cardsIn(game, event), points: Number(event.points ?? 0) }]

const inCity =
  (key: string): Wording =>
  (game, event) => [key, { city: game.place(String(event.city)), cards: cardsIn(game, event) }]

const withCards =
  (key: string): Wording =>
  (game, event) => [key, { cards: cardsIn(game, event) }]

const takes: Wording = (game, event) => ['takes', { what: source(game, event) }]

/** One card drawn or taken: `red`, `red from the deck`, `1 card from the deck`. */
function source(game: Game, event: GameEvent): string {
  if (event.event === 'take') return cardName(game, String(event.card))
  const deck = deckOf(game, event)
  if (typeof event.card === 'string') return say('log.from_deck', { cards: cardName(game, event.card), deck }) ?? ''
  return say('log.from_deck_unseen', { count: 1, deck }) ?? ''
}

const keeps: Wording = (game, event) => {
  const kept = idsIn(event, 'kept')
  const returned = idsIn(event, 'returned')?.length ?? Number(event.returned_count)
  if (kept?.length) return ['keep_tickets', { tickets: ticketsText(game, kept), returned }]
  return ['keep_tickets_unseen', { kept: kept ? 0 : Number(event.kept_count), returned }]
}

const offered: Wording = (game, event) => {
  const tickets = idsIn(event, 'tickets')
  if (tickets) return ['offer_tickets', { tickets: ticketsText(game, tickets) }]
  return ['offer_tickets_unseen', { count: Number(event.count) }]
}

const completes: Wording = (game, event) => {
  const tickets = (event.tickets as { ticket: string }[]).map((one) => one.ticket)
  if (tickets.length === 0) return ['complete_none']
  const points = tickets.reduce((sum, ticket) => sum + (game.tickets.get(ticket)?.points ?? 0), 0)
  return ['complete_tickets', { tickets: ticketsText(game, tickets), points }]
}

const abandons: Wording = (_, event) => {
  if (event.seat === undefined) return ['abandon_closed']
  return [event.gives_up ? 'abandon' : 'abandon_not']
}

const WORDINGS: Record<string, Wording> = {
  start: (_, event, people) => ['start', { who: whoIs(people, Number(event.first_seat)) }],
  deal: (game, event) => (event.cards ? ['deal', { cards: cardsIn(game, event) }] : ['deal_unseen', { count: Number(event.count) }]),
  lay_row: withCards('lay_row'),
  clear_row: (game, event) => ['clear_row', { wild: wildName(game), count: (idsIn(event, 'cards') ?? []).filter((card) => card === 'wild').length }],
  offer_tickets: offered,
  keep_tickets: keeps,
  turn: plain('turn'),
  draw: takes,
  take: takes,
  fill: (game, event) => ['fill', { card: cardName(game, String(event.card)) }],
  reshuffle: (game, event) => ['reshuffle', { count: Number(event.count), deck: deckOf(game, event) }],
  claim: onRoute('claim'),
  tunnel_lay: onRoute('tunnel_lay'),
  tunnel_reveal: (game, event) => ['tunnel_reveal', { cards: cardsIn(game, event), owed: Number(event.owed) }],
  tunnel_abandon: onRoute('tunnel_abandon'),
  station: inCity('station'),
  harbour: inCity('harbour'),
  choose_supply: (_, event) => ['choose_supply', { trains: Number(event.trains), ships: Number(event.ships) }],
  exchange: (_, event) => [Number(event.trains) > 0 ? 'exchange_for_trains' : 'exchange_for_ships', { count: Math.abs(Number(event.trains)) }],
  move_to_track: withCards('move_to_track'),
  place: withCards('place'),
  rob: (game, event, people) => ['rob', { victim: whoIs(people, Number(event.victim)), cards: cardsIn(game, event) }],
  complete_tickets: completes,
  second_pass: (_, event) => ['second_pass', { count: Number(event.deck) }],
  pass: plain('pass'),
  last_turns: (game, event) => [game.facts.pieces ? 'last_turns' : 'last_turns_deck', { each: Number(event.each), kind: piecesOf(game) }],
  end: plain('end'),
  sit: (_, event) => ['sit', { who: String(event.name) }],
  reserve: (_, event) => ['reserve', { who: String(event.name) }],
  rise: (_, event) => ['rise', { seat: Number(event.seat) + 1 }],
  leave: plain('leave'),
  take_over: (_, event) => [event.reason === 'time' ? 'take_over_time' : 'take_over'],
  return: plain('return'),
  say: (_, event) => ['say', { text: spoken(event) }],
  abandon: abandons,
  expire: plain('expire'),
  rematch: plain('rematch'),
  undo: plain('undo'),
}

/** What a game's pieces are; messages choose by it. */
export function piecesOf(game: Game): 'trains' | 'buses' | 'both' {
  if (game.facts.decks.length > 1) return 'both'
  return game.facts.game === 'london' ? 'buses' : 'trains'
}

/** What somebody said: a text, or a phrase in the page's language. */
export function spoken(event: GameEvent): string {
  if (typeof event.phrase === 'string') return say(`phrase.${event.phrase}`) ?? event.phrase
  return String(event.text ?? '')
}
