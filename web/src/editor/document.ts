/** The board as one document, and every change of it: functions from a document to the next one, so that each step can be undone. */
import type { components } from '../api/schema'

type Schemas = components['schemas']
export type Settings = Schemas['Document']['settings']
export type City = Schemas['EditedCity']
export type Route = Required<Schemas['EditedRoute']>
export type Ticket = Required<Schemas['EditedTicket']>
export type Card = Schemas['EditedCard']
export type Background = Schemas['Background'] & { kind: NonNullable<Schemas['Background']['kind']> }
export type Problem = Schemas['Problem']
export type Edited = Schemas['Edited']
export type Saved = Schemas['Saved']
export type Document = Omit<Required<Schemas['Document']>, 'routes' | 'tickets' | 'background'> & { routes: Route[]; tickets: Ticket[]; background: Background }
export type Change = (document: Document) => Document

export interface Place {
  lat: number
  lon: number
}

export const GRAY = 'gray'

// settings, by paths such as `pieces.trains` or `deck.0.hand`

export function at(settings: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], settings)
}

export function numberAt(document: Document, path: string): number | undefined {
  const found = at(document.settings, path)
  return typeof found === 'number' ? found : undefined
}

/** A table of numbers, such as the points by length. */
export function tableAt(document: Document, path: string): Record<string, number> {
  return (at(document.settings, path) as Record<string, number> | undefined) ?? {}
}

/** The settings with one of them changed; `undefined` removes it. */
export function put<T>(inside: T, path: string, value: unknown): T {
  const [name, ...rest] = path.split('.') as [string, ...string[]]
  const copy = (Array.isArray(inside) ? [...(inside as unknown[])] : { ...inside }) as Record<string, unknown>
  const next = rest.length ? put((copy[name] ?? {}) as object, rest.join('.'), value) : value
  if (next === undefined) delete copy[name]
  else copy[name] = next
  return copy as T
}

export function set(path: string, value: unknown): Change {
  return (document) => ({ ...document, settings: put(document.settings, path, value) })
}

export function all(...changes: Change[]): Change {
  return (document) => changes.reduce((before, change) => change(before), document)
}

// cities

/** Small letters, digits and hyphens, as ids have them; '' if a name has none of these. */
export function slug(name: string): string {
  const plain = name.replaceAll('ł', 'l').replaceAll('Ł', 'L').replaceAll('ø', 'o').replaceAll('Ø', 'O').replaceAll('ß', 'ss')
  const bare = plain.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return bare.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40).replace(/-$/, '')
}

function freeId(document: Document, wanted: string): string {
  const taken = new Set(document.cities.map(({ id }) => id))
  let [id, number] = [wanted || 'city', 1]
  while (taken.has(id)) id = `${wanted || 'city'}-${++number}`
  return id
}

/** Where a city lies, if that is known. */
export function placeOf({ lat, lon }: City): Place | undefined {
  return typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : undefined
}

/** Rounded to what geography.csv keeps. */
function rounded({ lat, lon }: Place): Place {
  return { lat: Number(lat.toFixed(5)), lon: Number(lon.toFixed(5)) }
}

export function addCity(name: string, place: Place): Change {
  return (document) => {
    const city: City = { id: freeId(document, slug(name)), name, ...rounded(place), names: {}, port: false, attraction: false }
    return { ...document, cities: [...document.cities, city] }
  }
}

export function changeCity(index: number, change: Partial<City>): Change {
  return (document) => ({ ...document, cities: document.cities.map((city, one) => (one === index ? without({ ...city, ...change }) : city)) })
}

/** Without what is undefined: the server takes no nulls for absent fields. */
function without<T extends object>(thing: T): T {
  return Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined)) as T
}

export function moveCity(index: number, place: Place): Change {
  return changeCity(index, rounded(place))
}

/** An id that was made from the name follows it, wherever it stands. */
export function renameCity(index: number, name: string): Change {
  return (document) => {
    const city = document.cities[index]!
    const follows = city.id.replace(/-\d+$/, '') === slug(city.name).replace(/-\d+$/, '') || /^city(-\d+)?$/.test(city.id)
    const others = { ...document, cities: document.cities.filter((one) => one !== city) }
    const id = follows && slug(name) ? freeId(others, slug(name)) : city.id
    return withId(changeCity(index, { name })(document), city.id, id)
  }
}

function withId(document: Document, old: string, id: string): Document {
  if (old === id) return document
  const renamed = (one: string): string => (one === old ? id : one)
  const ends = <T extends { a: string; b: string }>(one: T): T => ({ ...one, a: renamed(one.a), b: renamed(one.b) })
  return {
    ...document,
    cities: document.cities.map((city) => ({ ...city, id: renamed(city.id) })),
    routes: document.routes.map(ends),
    tickets: document.tickets.map(ends),
    tours: document.tours.map((tour) => ({ ...tour, cities: tour.cities.map(renamed) })),
    big_cities: document.big_cities.map((bonus) => ({ ...bonus, city: renamed(bonus.city) })),
  }
}

/** With its routes, its tickets and the tours through it. */
export function removeCity(index: number): Change {
  return (document) => {
    const gone = document.cities[index]!.id
    const stays = ({ a, b }: { a: string; b: string }): boolean => a !== gone && b !== gone
    return {
      ...document,
      cities: document.cities.filter((_, one) => one !== index),
      routes: document.routes.filter(stays),
      tickets: document.tickets.filter(stays),
      tours: document.tours.filter(({ cities }) => !cities.includes(gone)),
      big_cities: document.big_cities.filter(({ city }) => city !== gone),
    }
  }
}

// routes

export function between(document: Document, a: string, b: string): number[] {
  return document.routes.flatMap((route, index) => ((route.a === a && route.b === b) || (route.a === b && route.b === a) ? [index] : []))
}

export function addRoute(a: string, b: string, length: number, colour: string): Change {
  const route: Route = { a, b, length, colour, double: false, ferry: 0, tunnel: false, sea: false, pair: false, over_the_edge: false }
  return (document) => ({ ...document, routes: [...document.routes, route] })
}

export function changeRoute(index: number, change: Partial<Route>): Change {
  return (document) => {
    const twin = twinOf(document, index)
    const shared = { ...('length' in change ? { length: change.length! } : {}) } // both tracks are as long
    return {
      ...document,
      routes: document.routes.map((route, one) => (one === index ? fitting({ ...route, ...change }) : one === twin ? fitting({ ...route, ...shared }) : route)),
    }
  }
}

/** No more locomotives than spaces. */
function fitting(route: Route): Route {
  return { ...route, ferry: Math.min(route.ferry, route.length) }
}

/** The other track of a double route. */
export function twinOf(document: Document, index: number): number | undefined {
  const route = document.routes[index]
  return route?.double ? between(document, route.a, route.b).find((one) => one !== index && document.routes[one]!.double) : undefined
}

export function setDouble(index: number, isDouble: boolean): Change {
  return (document) => {
    const twin = twinOf(document, index)
    const changed = changeRoute(index, { double: isDouble })(document)
    if (isDouble) return { ...changed, routes: [...changed.routes, { ...changed.routes[index]! }] }
    return twin === undefined ? changed : removeRoute(twin)(changed)
  }
}

export function removeRoute(index: number): Change {
  return (document) => {
    const twin = twinOf(document, index)
    const routes = document.routes.map((route, one) => (one === twin ? { ...route, double: false } : route))
    return { ...document, routes: routes.filter((_, one) => one !== index) }
  }
}

// tickets and cards

export function addTicket(a: string, b: string, points: number): Change {
  const ticket: Ticket = { a, b, points, long: false, cards: [] }
  return (document) => ({ ...document, tickets: [...document.tickets, ticket] })
}

export function changeTicket(index: number, change: Partial<Ticket>): Change {
  return (document) => ({ ...document, tickets: document.tickets.map((ticket, one) => (one === index ? { ...ticket, ...change } : ticket)) })
}

export function removeTicket(index: number): Change {
  return (document) => ({ ...document, tickets: document.tickets.filter((_, one) => one !== index) })
}

/** What a ticket between two cities should be worth, as the server has worked it out. */
export function suggested(values: Record<string, number>, a: string, b: string): number | undefined {
  return values[[a, b].sort().join(' ')]
}

export function changeCard(index: number, change: Partial<Card>): Change {
  return (document) => ({ ...document, cards: document.cards.map((card, one) => (one === index ? { ...card, ...change } : card)) })
}

/** The card that no colour belongs to stays last. */
export function addCard(card: Card): Change {
  return (document) => ({ ...document, cards: [...document.cards.filter(({ colour }) => colour), card, ...document.cards.filter(({ colour }) => !colour)] })
}

export function removeColour(colour: string): Change {
  return (document) => ({ ...document, cards: document.cards.filter((card) => card.colour !== colour) })
}

export function coloursOf(document: Document): string[] {
  return [...new Set(document.cards.flatMap(({ colour }) => colour ?? []))]
}
