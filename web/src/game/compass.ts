/** How far the viewer's tickets are, from what the server says about each: for their rings and lines, and for the board. */
import type { Bearing, Person, RouteFacts, SeatFacts } from '../api/types'
import type { Light, TicketWay } from '../board/highlight'
import { listed, t } from '../i18n/i18n.svelte'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'
import type { Progress } from './TicketRing.svelte'

type People = Record<string, Person>

export function progressOf(game: Game, bearing: Bearing | undefined, isDone: boolean): Progress {
  if (isDone || !bearing) return { state: isDone ? 'done' : 'open' }
  if (bearing.state === 'cut') return { state: 'cut' }
  const [own, free] = [spacesOf(game, bearing.own), spacesOf(game, bearing.free)]
  return { state: 'open', missing: bearing.spaces, share: own + free > 0 ? own / (own + free) : 0 }
}

/** The second line of a ticket: what it still takes, or what it will cost. */
export function aheadText(game: Game, people: People, ticket: string, bearing: Bearing | undefined): string {
  if (!bearing || bearing.state === 'done') return bearing ? t('ticket.done') : ''
  const { spaces, turns, turns_left: left } = bearing
  if (bearing.state === 'cut') return t(`ticket.cut_${bearing.why ?? 'rivals'}`, { names: namesOf(people, bearing.closed_by), points: lossOf(game, ticket) })
  if (bearing.stations?.length) return t('ticket.ahead_station', { spaces, turns })
  if (spaces === 0) return t('ticket.lent_elsewhere')
  return left != null && turns > left ? t('ticket.ahead_late', { spaces, turns, left }) : t('ticket.ahead', { spaces, turns })
}

/** What is wrong with a ticket, and what could still save it; empty if nothing is. */
export function troubleText(game: Game, people: People, ticket: string, bearing: Bearing): string {
  const [name, names] = [game.ticketName(ticket), namesOf(people, bearing.closed_by)]
  const routesOf = (routes: string[] | null | undefined): string => listed([...new Set((routes ?? []).map((route) => game.routeName(route)))])
  if (bearing.state === 'cut') return t(`ticket.why_${bearing.why ?? 'rivals'}`, { ticket: name, names, routes: routesOf(bearing.closed) })
  if (bearing.state === 'done' || !bearing.needs_station) return ''
  const cities = listed((bearing.stations ?? []).map((city) => game.place(city)))
  return t('ticket.by_station', { ticket: name, cities, routes: routesOf(bearing.lent), names: namesOf(people, bearing.lent_by) })
}

/** The ticket whose outlook a change has made worse: it is cut off, or only a station can save it now. */
export function troubledBy(before: SeatFacts | undefined, after: SeatFacts | undefined): string | undefined {
  const rank = ({ state, needs_station: station }: Bearing): number => (state === 'cut' ? 2 : station ? 1 : 0)
  return Object.entries(after?.compass ?? {}).find(([ticket, now]) => {
    const then = before?.compass?.[ticket]
    return then !== undefined && rank(now) > rank(then)
  })?.[0]
}

function namesOf(people: People, seats: number[] | null | undefined): string {
  return listed((seats ?? []).map((seat) => nameOf(people[String(seat)], seat)))
}

function lossOf(game: Game, ticket: string): number {
  const facts = game.tickets.get(ticket)
  return facts?.failed ?? facts?.points ?? 0
}

/** What the board shows of a ticket that is pointed at. Routes that stations lend count as one's own. */
export function wayOf(game: Game, ticket: string, bearing: Bearing): TicketWay {
  const { own = [], free = [], lent = [], closed = [] } = bearing
  return { own: [...(own ?? []), ...(lent ?? [])], free: free ?? [], closed: closed ?? [], cities: game.placesOf(ticket) }
}

/** The places that a ticket's way goes through, in order, besides those that the ticket names; empty for tours, which name them. */
export function viaOf(game: Game, ticket: string, bearing: Bearing | undefined): string[] {
  const places = game.placesOf(ticket)
  const left = [bearing?.own, bearing?.free, bearing?.lent].flatMap((routes) => routes ?? []).map((route) => game.routes.get(route)!)
  const via: string[] = []
  let at = places[0]
  while (bearing?.state !== 'cut' && places.length === 2 && at !== places[1]) {
    const next = left.findIndex(({ a, b }) => a === at || b === at)
    if (next < 0) return []
    const [{ a, b }] = left.splice(next, 1) as [RouteFacts]
    at = a === at ? b : a
    if (at !== places[1]) via.push(at)
  }
  return via
}

/** `Cádiz–Stockholm via Paris, Frankfurt`, or what is wrong with it. */
export function wayText(game: Game, people: People, ticket: string, bearing: Bearing): string {
  const trouble = troubleText(game, people, ticket, bearing)
  if (trouble) return trouble
  const via = viaOf(game, ticket, bearing)
  const values = { ticket: game.ticketName(ticket), places: via.map((city) => game.place(city)).join(', ') }
  return via.length ? t('ticket.via', values) : values.ticket
}

/** Claimable routes that serve an open ticket are bright, others faint: the whole map never shines. */
export function lights(game: Game, own: SeatFacts | null, claimable: ReadonlySet<string>): ReadonlyMap<string, Light> {
  const open = Object.values(own?.compass ?? {}).filter((bearing) => bearing.state === 'open' && bearing.free?.length)
  const serving = new Set(open.flatMap((bearing) => bearing.free ?? []).map((route) => endsOf(game, route)))
  return new Map([...claimable].map((route) => [route, serving.has(endsOf(game, route)) ? 'ticket' : 'other'] as const))
}

/** The same for both tracks of a double route: either serves. */
function endsOf(game: Game, route: string): string {
  const facts = game.routes.get(route)
  return facts ? `${facts.a} ${facts.b}` : route
}

function spacesOf(game: Game, routes: string[] | null | undefined): number {
  return (routes ?? []).reduce((sum, route) => sum + (game.routes.get(route)?.length ?? 0), 0)
}

/** The ticket to look at first: with most spaces missing, or, while the first are still on offer, the dearest of them. */
export function farthest(game: Game, own: SeatFacts | null, offer: readonly (string | null)[]): string | undefined {
  const missing = Object.entries(own?.compass ?? {}).map(([ticket, { state, spaces }]) => ({ ticket, size: state === 'cut' ? 0 : spaces }))
  const offered = offer.filter((ticket) => ticket !== null).map((ticket) => ({ ticket, size: game.tickets.get(ticket)?.points ?? 0 }))
  const all = own?.held?.length ? missing : offered
  return all.sort((one, other) => other.size - one.size)[0]?.ticket
}

/** The tickets that a change completed. */
export function completedBy(before: SeatFacts | undefined, after: SeatFacts | undefined): string[] {
  const known = new Set(before?.done ?? [])
  return before ? (after?.done ?? []).filter((ticket) => !known.has(ticket)) : []
}
