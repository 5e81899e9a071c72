/** The server's types under the names that the page uses; they come from its own schema (`npm run types`). */
import type { components } from './schema'
import { EVENTS_BY_KIND } from './vocabulary'

type Schemas = components['schemas']

export type About = Schemas['About']
export type GameListing = Schemas['GameName']
/** The server fills in what a board leaves out of its words. */
export type GameFacts = Schemas['GameFacts'] & { words: Required<Schemas['BoardWords']> }
export type CardFacts = Schemas['Card']
export type CityFacts = Schemas['City']
export type RouteFacts = Schemas['Route']
export type TicketFacts = Schemas['Ticket']
export type Listed = Schemas['Listed']
export type Person = Schemas['Person']
export type TableState = Schemas['TableState']
export type Position = Schemas['Position']
export type SeatFacts = Schemas['SeatFacts']
export type Bearing = Schemas['Bearing']
export type Gathering = Schemas['Gathering']
export type CreateTable = Schemas['CreateTable']
export type Level = About['levels'][number]
export type FurtherBot = About['bots'][number]
export type Why = Schemas['Why']
export type Completable = Schemas['Completable']
export type Hint = Schemas['Hint']
export type Count = Schemas['Count']
export type Replay = Schemas['Replay']
export type Refusal = Schemas['Refusal']
export type Notice = Schemas['LiveNotice']
export type FromServer = Schemas['FromServer']

/** Something that happened, in the game or at the table; which fields it has depends on its name. */
export type GameEvent = Schemas['Event']
export type EventName = GameEvent['event']
export type EventOf<Name extends EventName> = Extract<GameEvent, { event: Name }>

/** What the page can ask of a table, and the fields of each request. */
export type Commands = Schemas['Commands']
export type CommandName = keyof Commands

/** The seat whose event it is, if any. */
export function actorOf(event: GameEvent): number | undefined {
  return 'seat' in event ? event.seat : undefined
}

export function isEvent<Name extends EventName>(event: GameEvent, ...names: Name[]): event is EventOf<Name> {
  return names.some((name) => name === event.event)
}

/** Events that are something besides, such as a move or a building: they are declared so, and need no list here. */
export type EventKind = keyof typeof EVENTS_BY_KIND
type NamesOf<Kind extends EventKind> = (typeof EVENTS_BY_KIND)[Kind][number]

export function isOfKind<Kind extends EventKind>(event: GameEvent, kind: Kind): event is EventOf<NamesOf<Kind>> {
  const names: readonly EventName[] = EVENTS_BY_KIND[kind]
  return names.includes(event.event)
}

export interface Point {
  x: number
  y: number
}

export interface Space extends Point {
  angle: number
  length: number
}

export interface Label extends Point {
  lines: string[]
  box: [number, number]
  anchor?: 'start' | 'middle' | 'end'
}

/** How a board is drawn: `boards/<board>/layout.json`. */
export interface Layout {
  view_box: [number, number, number, number]
  /** The part of the map that its picture shows, if it has one: x, y, width, height. */
  ground?: [number, number, number, number]
  /** Names of seas, written on the map. */
  seas?: (Point & { size: number; turn: number; names: { en: string } & Record<string, string> })[]
  space: { length: number; width: number; gap: number; radius: number }
  city_radius: number
  font_size: number
  line_height?: number
  cities: Record<string, Point & { labels: { en: Label } & Record<string, Label> }>
  routes: Record<string, { curves: [number, number][][]; spaces: Space[] }>
  edge?: { side: 'W' | 'E'; routes: string[]; at: [number, number]; to: string }[]
  coast?: string
  lakes?: string
  borders?: string
  graticule?: string
  river?: string
  parks?: string
  districts?: Record<string, string>
}
