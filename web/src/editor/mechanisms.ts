/** The mechanisms of a board as switches: what each puts into the document, and what goes when it is switched off. Whether all fits together, the server says. */
import { all, at, coloursOf, set, type Change, type Document } from './document'

export const MECHANISMS = ['longest_path', 'clear_row', 'opening_wilds', 'long_tickets', 'stations', 'districts', 'attractions', 'ships', 'harbours'] as const
export type MechanismName = (typeof MECHANISMS)[number]

interface Mechanism {
  /** The setting that is there when it is on. */
  is: string
  /** Numbers to set, in the order in which they are shown; each with its value at first. */
  numbers: Record<string, number>
  on?: Change
  off?: Change
}

const cities =
  (change: object): Change =>
  (document) => ({ ...document, cities: document.cities.map((city) => ({ ...city, ...change })) })

const withoutDistricts: Change = (document) => ({ ...document, cities: document.cities.map(({ district: _, ...city }) => city) })

const noLongTickets: Change = (document) => ({ ...document, tickets: document.tickets.map((ticket) => ({ ...ticket, long: false })) })

/** Half of the face-up cards are ships, and every colour has some. */
const addShips: Change = (document) => {
  const cards = coloursOf(document).flatMap((colour) => [
    ...document.cards.filter((card) => card.colour === colour),
    { id: `${colour}-ship`, deck: 'ship', colour, count: 8, covers: 1, harbour: false },
  ])
  const deck = at(document.settings, 'deck.0') as object
  const rows = all(set('deck', [{ ...deck, row: 3 }, { name: 'ship', hand: 3, row: 3 }]), set('cards.row', 6))
  return rows({ ...document, cards: [...cards, ...document.cards.filter(({ colour }) => !colour)] })
}

const removeShips: Change = (document) => {
  const { row: _, ...deck } = at(document.settings, 'deck.0') as { row?: number }
  const back = all(set('deck', [deck]), set('cards.row', 5), set('pieces.supply', undefined), set('pieces.exchange', undefined))
  return back({
    ...document,
    cards: document.cards.filter((card) => card.deck !== 'ship'),
    routes: document.routes.map((route) => ({ ...route, sea: false })),
  })
}

/** A harbour is paid with cards that carry its symbol: the first kind of each colour and deck gets it if no card has it. */
const addSymbols: Change = (document) => {
  if (document.cards.some((card) => card.harbour)) return document
  const seen = new Set<string>()
  const isFirst = (kind: string): boolean => !seen.has(kind) && Boolean(seen.add(kind))
  return { ...document, cards: document.cards.map((card) => (card.colour && card.covers === 1 && isFirst(`${card.deck} ${card.colour}`) ? { ...card, harbour: true } : card)) }
}

const removeSymbols: Change = (document) => ({ ...document, cards: document.cards.map((card) => ({ ...card, harbour: false })) })

export const ALL: Record<MechanismName, Mechanism> = {
  longest_path: { is: 'end.longest_path', numbers: { 'end.longest_path': 10 } },
  clear_row: { is: 'cards.clear_row_at', numbers: { 'cards.clear_row_at': 3 } },
  opening_wilds: { is: 'cards.opening_wilds', numbers: { 'cards.opening_wilds': 1 } },
  long_tickets: { is: 'tickets.opening_long', numbers: { 'tickets.opening_long': 1 }, off: noLongTickets },
  stations: { is: 'pieces.stations', numbers: { 'pieces.stations': 3, 'end.unbuilt_station': 4 } },
  districts: { is: 'districts', numbers: {}, on: set('districts.points', { 1: 1, 2: 2, 3: 3 }), off: withoutDistricts },
  attractions: { is: 'attractions', numbers: { 'attractions.points': 1 }, off: all(set('attractions', undefined), cities({ attraction: false })) },
  ships: { is: 'pieces.ships', numbers: { 'pieces.ships': 15 }, on: addShips, off: removeShips },
  harbours: {
    is: 'pieces.harbours',
    numbers: { 'pieces.harbours': 3, 'end.unbuilt_harbour': 4 },
    on: all(set('harbours.points', { 1: 20, 2: 30, 3: 40 }), addSymbols),
    off: all(set('harbours', undefined), cities({ port: false }), removeSymbols),
  },
}

export function isOn(document: Document, name: MechanismName): boolean {
  return Boolean(at(document.settings, ALL[name].is))
}

export function switched(name: MechanismName, on: boolean): Change {
  const { is, numbers, ...more } = ALL[name]
  const values = Object.entries(numbers).map(([path, value]) => set(path, on ? value : undefined))
  return on ? all(...values, more.on ?? ((document) => document)) : all(...values, more.off ?? ((document) => document), set(is, undefined))
}

/** A table of points by number, such as those of districts or harbours; it grows and shrinks at its end. */
export const TABLES: Partial<Record<MechanismName, string>> = { districts: 'districts.points', harbours: 'harbours.points' }
