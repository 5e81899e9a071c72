/** Facts and drawing of the games, asked for once. */
import { get } from '../api/http'
import type { About, CardFacts, CityFacts, GameFacts, Layout, RouteFacts, TicketFacts } from '../api/types'
import { language } from '../i18n/i18n.svelte'

/** A game's facts, found by id. */
export class Game {
  readonly cards: Map<string, CardFacts>
  readonly cities: Map<string, CityFacts>
  readonly routes: Map<string, RouteFacts>
  readonly tickets: Map<string, TicketFacts>

  constructor(
    readonly facts: GameFacts,
    readonly layout: Layout | null,
  ) {
    this.cards = byId(facts.cards)
    this.cities = byId(facts.cities)
    this.routes = byId(facts.routes)
    this.tickets = byId(facts.tickets)
  }

  /** A place's name in the page's language. */
  place(city: string): string {
    const facts = this.cities.get(city)
    const words = language()
    return (words === 'en' ? null : facts?.names?.[words]) ?? facts?.name ?? city
  }

  /** `Berlin–Wien` */
  routeName(route: string): string {
    const facts = this.routes.get(route)
    return facts ? `${this.place(facts.a)}–${this.place(facts.b)}` : route
  }

  /** The places that a ticket names, in its order. */
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
let known: Promise<About> | null = null

export function about(): Promise<About> {
  known ??= get<About>('/api/about')
  known.catch(() => (known = null))
  return known
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
  const layout = facts.then((known) => (known.has_layout ? get<Layout>(`/api/games/${name}/layout`) : null))
  return new Game(await facts, await layout)
}
