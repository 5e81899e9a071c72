/** The table of a game with yards: rows of cards, who leads in which big city, what was robbed. */
import { isEvent, type GameEvent, type Person, type Position, type SeatFacts } from '../api/types'
import { listed, t } from '../i18n/i18n.svelte'
import { colourName } from '../look/cards'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'

export interface YardRow {
  colour: string
  /** From the bottom to the top: locomotives are on top, and leave first. */
  cards: string[]
  wilds: number
}

export interface Robbed {
  by: number
  colour: string
  count: number
}

/** A track of a yard; there is one for each colour. */
interface Siding {
  colour: string
  row?: YardRow
  /** Cards that are being placed. */
  fresh?: YardRow
  robbed?: Robbed
}

const WILD = 'wild'

/** The rows of a yard, in the order of the game's colours. */
function rowsOf(game: Game, yard: SeatFacts['yard']): YardRow[] {
  return game.facts.colours.filter((colour) => yard?.[colour]).map((colour) => rowOf(colour, yard![colour]!))
}

function rowOf(colour: string, counts: Record<string, number>): YardRow {
  const wilds = counts[WILD] ?? 0
  const cards = [...Array<string>(counts[colour] ?? 0).fill(colour), ...Array<string>(wilds).fill(WILD)]
  return { colour, cards, wilds }
}

/** Cards that are being placed: one row with its locomotives, or single cards of several colours. */
function laid(game: Game, placed: Record<string, number>): YardRow[] {
  const colours = game.facts.colours.filter((colour) => placed[colour])
  return colours.map((colour, number) => rowOf(colour, number === 0 ? placed : { [colour]: placed[colour]! }))
}

/** All tracks of a yard, including empty ones. */
export function sidings(game: Game, yard: SeatFacts['yard'], placed: Record<string, number>, robbed: Robbed[]): Siding[] {
  const rows = rowsOf(game, yard)
  const fresh = laid(game, placed)
  const of = <T extends { colour: string }>(all: T[], colour: string) => all.find((one) => one.colour === colour)
  return game.facts.colours.map((colour) => ({ colour, row: of(rows, colour), fresh: of(fresh, colour), robbed: of(robbed, colour) }))
}

/** Seats around the table, clockwise from the viewer's left; without the viewer's own. */
export function around(position: Position, you: number | null): number[] {
  const seats = Object.keys(position.seats).length
  const first = you ?? -1
  const others = Array.from({ length: seats }, (_, number) => (first + 1 + number) % seats)
  return others.filter((seat) => seat !== you)
}

/** Rows that a seat has lost since its last turn. */
export function robbedOf(events: readonly GameEvent[], seat: number): Robbed[] {
  const since = events.findLastIndex((event) => event.event === 'turn' && event.seat === seat)
  return events
    .slice(since + 1)
    .filter((event) => isEvent(event, 'rob'))
    .filter((event) => event.victim === seat)
    .map((event) => ({ by: event.seat, colour: event.colour, count: event.cards.length }))
}

interface Named {
  city: string
  points: number
  /** Completed tickets that name the city, by seat; seats without any are left out. */
  counts: { seat: number; count: number }[]
}

/** For each big city, how many completed tickets name it. */
export function named(game: Game, position: Position): Named[] {
  return game.facts.big_cities.map(({ id, points }) => {
    const done = Object.entries(position.seats).map(([seat, { completed }]) => ({ seat: Number(seat), tickets: completed ?? [] }))
    const counts = done.map(({ seat, tickets }) => ({ seat, count: tickets.filter((ticket) => game.placesOf(ticket).includes(id)).length }))
    return { city: id, points, counts: counts.filter(({ count }) => count > 0) }
  })
}

/** `Ann – yard: red 3, blue 2 with 1 locomotive; track pile: 7 cards; …` */
export function described(game: Game, facts: SeatFacts, person: Person | undefined, seat: number): string {
  const rows = rowsOf(game, facts.yard).map((row) => t('yard.row', { colour: colourName(row.colour), count: row.cards.length, wilds: row.wilds, wild_kind: game.facts.words.wild }))
  const values = { who: nameOf(person, seat), pile: facts.pile ?? 0, cards: facts.cards, tickets: facts.tickets }
  return t('yard.described', { ...values, rows: rows.length > 0 ? listed(rows) : t('yard.no_rows') })
}
