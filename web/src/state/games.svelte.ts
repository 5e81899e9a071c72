/** The games that the server lists, and each game's facts and layout, which are loaded once. */
import { get } from '../api/http'
import type { About, CardFacts, CityFacts, FurtherBot, GameFacts, GameListing, Layout, Level, RouteFacts, TicketFacts } from '../api/types'
import { language, say } from '../i18n/i18n.svelte'
import { BUILDING_KINDS, type BuildingKind } from '../look/buildings'

/** A game's facts, by id. */
export class Game {
  readonly cards: Map<string, CardFacts>
  readonly cities: Map<string, CityFacts>
  readonly routes: Map<string, RouteFacts>
  readonly tickets: Map<string, TicketFacts>

  constructor(
    readonly facts: GameFacts,
    readonly layout: Layout | null,
    private readonly grounds?: Record<string, string>,
  ) {
    met.set(facts.game, facts)
    this.cards = byId(facts.cards)
    this.cities = byId(facts.cities)
    this.routes = byId(facts.routes)
    this.tickets = byId(facts.tickets)
  }

  /** What can be built on this board, if anything. */
  get building(): BuildingKind | undefined {
    return BUILDING_KINDS.find((kind) => this.facts[`${kind}s`])
  }

  /** The address of the map's picture, by day or by night; '' if there is none. */
  ground(theme: string): string {
    if (!this.layout?.ground) return ''
    return this.grounds ? (this.grounds[theme] ?? '') : `/api/games/${this.facts.game}/ground/${theme}`
  }

  /** A place's name in the page's language. */
  place(city: string): string {
    const facts = this.cities.get(city)
    return facts?.names?.[language()] ?? facts?.name ?? city
  }

  /** `Berlin–Wien` */
  routeName(route: string): string {
    const facts = this.routes.get(route)
    return facts ? `${this.place(facts.a)}–${this.place(facts.b)}` : route
  }

  /** The places that a ticket names, in order. */
  placesOf(ticket: string): string[] {
    const facts = this.tickets.get(ticket)
    return facts ? [facts.a, ...(facts.via ?? []), facts.b] : []
  }

  ticketName(ticket: string): string {
    return this.placesOf(ticket)
      .map((city) => this.place(city))
      .join('–')
  }
}

function byId<T extends { id: string }>(facts: T[]): Map<string, T> {
  return new Map(facts.map((one) => [one.id, one]))
}

const games = new Map<string, Promise<Game>>()
let asked: Promise<About> | null = null
const ANSWERED_WITHIN = 10_000 // milliseconds
const ASK_AGAIN = 3_000

/** Until the server has said how many can play: numbers that all games allow. */
const USUAL_PLAYERS: [number, number] = [2, 4]

class Known {
  about = $state.raw<About | null>(null)
}

const known = new Known()

/** What the server says about itself; asked once. */
export function about(): Promise<About> {
  asked ??= get<About>('/api/about', ANSWERED_WITHIN).then((answer) => (known.about = answer))
  asked.catch(() => (asked = null))
  return asked
}

/** The page is shown meanwhile. If there is no answer, it asks again. */
export async function knowGames(): Promise<void> {
  await about().catch(() => setTimeout(knowGames, ASK_AGAIN))
}

/** In the order of the server's list; empty until it has answered. */
export function gamesInOrder(): GameListing[] {
  return known.about?.games ?? []
}

/** The levels of bots, from the weakest to the strongest; empty until the server has answered. */
export function levels(): Level[] {
  return known.about?.levels ?? []
}

/** The bots that the server's operator has added to the levels. */
export function furtherBots(): FurtherBot[] {
  return known.about?.bots ?? []
}

export function furtherBot(id: string): FurtherBot | undefined {
  return furtherBots().find((bot) => bot.id === id)
}

/** Does the server show a ladder of bots? */
export function hasLadder(): boolean {
  return known.about?.ladder ?? false
}

/** Can a board be edited here? */
export function hasEditor(): boolean {
  return known.about?.editor ?? false
}

/** The game that is selected at first; none until the server has answered. */
export function firstGame(): string {
  return gamesInOrder()[0]?.game ?? ''
}

export function listingOf(game: string): GameListing | undefined {
  return gamesInOrder().find((one) => one.game === game)
}

/** What the page was told about a game: in the list of games, or with the facts of a replay in a file. */
const met = new Map<string, GameListing>()

/** One of a board's own texts in the page's language, or in English. */
function ownText(texts: Record<string, string> | null | undefined): string | undefined {
  return texts?.[language()] ?? texts?.['en']
}

/** The game's name in the page's language, if there is one. */
export function gameName(game: string): string {
  const told = listingOf(game) ?? met.get(game)
  return say(`game.${game}`) ?? ownText(told?.names) ?? told?.name ?? game
}

/** One line about the game. */
export function gameLine(game: string): string | undefined {
  return say(`start.game_${game.replaceAll('-', '_')}`) ?? ownText(listingOf(game)?.lines)
}

/** Does it come from outside? Then the page has nothing about it but what the server says. */
export function isOwn(game: string): boolean {
  return listingOf(game)?.is_own ?? false
}

/** The fewest and the most players. */
export function playersOf(game: string): [number, number] {
  return listingOf(game)?.players ?? USUAL_PLAYERS
}

/** The board of a game has changed: its facts are loaded again, and so is the list of games. */
export function forgetGame(name: string): void {
  games.delete(name)
  asked = null
  void about().catch(() => undefined)
}

export function gameOf(name: string): Promise<Game> {
  let game = games.get(name)
  if (!game) {
    game = load(name)
    game.catch(() => games.delete(name))
    games.set(name, game)
  }
  return game
}

async function load(name: string): Promise<Game> {
  const facts = get<GameFacts>(`/api/games/${name}`)
  const layout = facts.then((one) => (one.has_layout ? get<Layout>(`/api/games/${name}/layout`) : null))
  return new Game(await facts, await layout)
}
