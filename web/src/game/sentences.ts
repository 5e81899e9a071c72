/** What happened, in words: one sentence an event. Names stand alone and verbs in the present, so that no language has to decline a name. */
import { actorOf, type EventOf, type GameEvent, type Person } from '../api/types'
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
export function deckOf(game: Game, deck: string): string {
  return game.facts.decks.length > 1 ? deck : 'only'
}

export function sentence(game: Game, event: GameEvent, people: People): string | null {
  const worded = words(game, event, people)
  if (!worded) return null
  const [key, values] = worded
  const actor = actorOf(event)
  const who = actor === undefined ? '' : whoIs(people, actor)
  return say(`event.${key}`, { who, ...values }) ?? null
}

/** What the event's line lights on the board. */
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

/** One card drawn or taken: `red`, `red from the deck`, `1 card from the deck`. */
function source(game: Game, event: EventOf<'draw' | 'take'>): string {
  if (event.event === 'take') return cardName(game, event.card)
  const deck = deckOf(game, event.deck)
  if (event.card !== undefined) return say('log.from_deck', { cards: cardName(game, event.card), deck }) ?? ''
  return say('log.from_deck_unseen', { count: 1, deck }) ?? ''
}

function keeps(game: Game, event: EventOf<'keep_tickets'>): Worded {
  const returned = event.returned?.length ?? event.returned_count ?? 0
  if (event.kept?.length) return ['keep_tickets', { tickets: ticketsText(game, event.kept), returned }]
  return ['keep_tickets_unseen', { kept: event.kept ? 0 : (event.kept_count ?? 0), returned }]
}

function completes(game: Game, event: EventOf<'complete_tickets'>): Worded {
  const tickets = event.tickets.map((one) => one.ticket)
  if (tickets.length === 0) return ['complete_none']
  const points = tickets.reduce((sum, ticket) => sum + (game.tickets.get(ticket)?.points ?? 0), 0)
  return ['complete_tickets', { tickets: ticketsText(game, tickets), points }]
}

function abandons(event: EventOf<'abandon'>): Worded {
  if (event.seat === undefined) return ['abandon_closed']
  return [event.gives_up ? 'abandon' : 'abandon_not']
}

function words(game: Game, event: GameEvent, people: People): Worded {
  switch (event.event) {
    case 'start':
      return ['start', { who: whoIs(people, event.first_seat) }]
    case 'deal':
      return event.cards ? ['deal', { cards: cardsText(game, event.cards) }] : ['deal_unseen', { count: event.count }]
    case 'clear_row':
      return ['clear_row', { wild: wildName(game), count: event.cards.filter((card) => card === 'wild').length }]
    case 'offer_tickets':
      return event.tickets ? ['offer_tickets', { tickets: ticketsText(game, event.tickets) }] : ['offer_tickets_unseen', { count: event.count }]
    case 'keep_tickets':
      return keeps(game, event)
    case 'draw':
    case 'take':
      return ['takes', { what: source(game, event) }]
    case 'fill':
      return ['fill', { card: cardName(game, event.card) }]
    case 'reshuffle':
      return ['reshuffle', { count: event.count, deck: deckOf(game, event.deck) }]
    case 'claim':
      return ['claim', { route: game.routeName(event.route), cards: cardsText(game, event.cards), points: event.points }]
    case 'tunnel_lay':
      return ['tunnel_lay', { route: game.routeName(event.route), cards: cardsText(game, event.cards) }]
    case 'tunnel_reveal':
      return ['tunnel_reveal', { cards: cardsText(game, event.cards), owed: event.owed }]
    case 'tunnel_abandon':
      return ['tunnel_abandon', { route: game.routeName(event.route) }]
    case 'station':
    case 'harbour':
      return [event.event, { city: game.place(event.city), cards: cardsText(game, event.cards) }]
    case 'choose_supply':
      return ['choose_supply', { trains: event.trains, ships: event.ships }]
    case 'exchange':
      return [event.trains > 0 ? 'exchange_for_trains' : 'exchange_for_ships', { count: Math.abs(event.trains) }]
    case 'lay_row':
    case 'move_to_track':
    case 'place':
      return [event.event, { cards: cardsText(game, event.cards) }]
    case 'rob':
      return ['rob', { victim: whoIs(people, event.victim), cards: cardsText(game, event.cards) }]
    case 'complete_tickets':
      return completes(game, event)
    case 'second_pass':
      return ['second_pass', { count: event.deck }]
    case 'last_turns':
      return [game.facts.pieces ? 'last_turns' : 'last_turns_deck', { each: event.each, kind: piecesOf(game) }]
    case 'sit':
    case 'reserve':
      return [event.event, { who: event.name }]
    case 'rise':
      return ['rise', { seat: event.seat + 1 }]
    case 'take_over':
      return [event.reason === 'time' ? 'take_over_time' : 'take_over']
    case 'say':
      return ['say', { text: spoken(event) }]
    case 'abandon':
      return abandons(event)
    case 'begin':
      return null
    default:
      return [event.event]
  }
}

/** What a game's pieces are; messages choose by it. */
export function piecesOf(game: Game): 'trains' | 'buses' | 'both' {
  if (Object.keys(game.facts.pieces ?? {}).length > 1) return 'both'
  return game.facts.words.pieces
}

/** What somebody said: a text, or a phrase in the page's language. */
export function spoken(event: EventOf<'say'>): string {
  return event.phrase ? (say(`phrase.${event.phrase}`) ?? event.phrase) : (event.text ?? '')
}
