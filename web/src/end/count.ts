/** The final count, step by step: what counts, for whom, how much, and where it is on the board. */
import type { components } from '../api/schema'
import type { Person } from '../api/types'
import type { Highlight } from '../board/highlight'
import { listed, t } from '../i18n/i18n.svelte'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'

type Schemas = components['schemas']
export type Count = Schemas['Count']
type SeatCount = Schemas['SeatCount']
type CountedTicket = Schemas['CountedTicket']

export type People = Record<string, Person>
export type Part = 'routes' | 'tickets' | 'longest_path' | 'stations' | 'districts' | 'harbours' | 'bonuses' | 'attractions'

export interface CountStep {
  part: Part | 'winner'
  seat: number | null
  /** Points by seat: what this step changes. */
  gains: Record<number, number>
  words: string
  highlight: Highlight | null
  /** The cards spent on a ticket, if cards complete it. */
  cards?: Record<string, number>
}

/** `+9`, `−5`, `±0` */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0'
}

/** `9`, `−5`, `0` */
export function number(points: number): string {
  return points < 0 ? `−${-points}` : String(points)
}

/** What the game counts, in the order in which it is counted. */
export function partsOf(count: Count): Part[] {
  const parts: Part[] = ['routes', 'tickets', 'longest_path', 'stations', 'districts', 'harbours', 'bonuses', 'attractions']
  return parts.filter((part) => count.seats.some((seat) => seat[part]))
}

/** A seat's points for one part; exchanges belong to the routes, and harbours not built to the harbours. */
export function pointsOf(seat: SeatCount, part: Part): number {
  if (part === 'routes') return (seat.routes?.points ?? 0) + (seat.exchanges?.points ?? 0)
  if (part === 'harbours') return sum(seat.harbours) + (seat.unbuilt_harbours?.points ?? 0)
  if (part === 'longest_path' || part === 'stations' || part === 'attractions') return seat[part]?.points ?? 0
  return sum(seat[part])
}

function sum(counted: { points: number }[] | null | undefined): number {
  return (counted ?? []).reduce((total, one) => total + one.points, 0)
}

/** Seats from first to last: winners before others with the same points. */
export function ranked(count: Count): number[] {
  const wins = new Set(count.winners)
  const seats = count.seats.map((_, seat) => seat)
  return seats.sort((a, b) => Number(wins.has(b)) - Number(wins.has(a)) || count.seats[b]!.total - count.seats[a]!.total)
}

/** Did others have as many points as the winners? */
export function isTied(count: Count): boolean {
  const best = Math.max(...count.seats.map((seat) => seat.total))
  return count.seats.filter((seat) => seat.total === best).length > 1
}

/** Part by part, seat by seat within each, and finally who has won. */
export function countSteps(count: Count, game: Game, people: People): CountStep[] {
  const teller = new Teller(count, game, people)
  return [...partsOf(count).flatMap((part) => teller.part(part)), teller.winner()]
}

class Teller {
  constructor(
    readonly count: Count,
    readonly game: Game,
    readonly people: People,
  ) {}

  part(part: Part): CountStep[] {
    if (part === 'bonuses') return this.bonuses()
    if (part === 'longest_path') return this.longestPaths()
    return this.count.seats.flatMap((counted, seat) => this[part](counted, seat))
  }

  name(seat: number): string {
    return nameOf(this.people[String(seat)], seat)
  }

  step(part: Part, seat: number, points: number, words: string, highlight: Highlight | null): CountStep {
    return { part, seat, gains: { [seat]: points }, words, highlight: highlight && { ...highlight, seat } }
  }

  routes(counted: SeatCount, seat: number): CountStep[] {
    const { points, routes } = counted.routes!
    const words = t('count.routes', { name: this.name(seat), count: routes.length, points: signed(points) })
    const steps = [this.step('routes', seat, points, words, { routes, tone: 'path' })]
    const { exchanges } = counted
    if (exchanges?.count) {
      const lost = t('count.exchanges', { name: this.name(seat), count: exchanges.count, points: signed(exchanges.points) })
      steps.push(this.step('routes', seat, exchanges.points, lost, null))
    }
    return steps
  }

  /** Completed tickets first, with the most valuable ones last. */
  tickets(counted: SeatCount, seat: number): CountStep[] {
    const tickets = [...counted.tickets].sort((a, b) => Number(b.done) - Number(a.done) || Math.abs(a.points) - Math.abs(b.points))
    if (tickets.length === 0) return [this.step('tickets', seat, 0, t('count.no_tickets', { name: this.name(seat) }), null)]
    const borrowed = new Set(Object.values(counted.stations?.borrowed ?? {}))
    return tickets.map((ticket) => this.ticket(ticket, seat, borrowed))
  }

  ticket(ticket: CountedTicket, seat: number, borrowed: Set<string | null>): CountStep {
    const values = { name: this.name(seat), ticket: this.game.ticketName(ticket.ticket), points: signed(ticket.points) }
    const path = ticket.path ?? []
    const highlight: Highlight = { routes: path, cities: this.game.placesOf(ticket.ticket), tone: 'ticket' }
    const cards = ticket.cards ?? undefined
    return { ...this.step('tickets', seat, ticket.points, ticketWords(ticket, values, path.some((route) => borrowed.has(route))), highlight), cards }
  }

  /** The longest comes last, to keep it exciting. */
  longestPaths(): CountStep[] {
    const seats = this.count.seats.map((counted, seat) => ({ seat, path: counted.longest_path! }))
    seats.sort((a, b) => a.path.length - b.path.length)
    return seats.map(({ seat, path }) => {
      const values = { name: this.name(seat), length: path.length, points: signed(path.points) }
      return this.step('longest_path', seat, path.points, t(path.points ? 'count.longest_path' : 'count.path', values), { routes: path.path, tone: 'path' })
    })
  }

  stations(counted: SeatCount, seat: number): CountStep[] {
    const { points, unbuilt, borrowed } = counted.stations!
    const routes = Object.values(borrowed).filter((route) => route !== null)
    const words = t('count.stations', { name: this.name(seat), count: unbuilt, points: signed(points) })
    return [this.step('stations', seat, points, words, { routes, cities: Object.keys(borrowed), tone: 'path' })]
  }

  districts(counted: SeatCount, seat: number): CountStep[] {
    const done = counted.districts!.filter((district) => district.done)
    if (done.length === 0) return [this.step('districts', seat, 0, t('count.no_district', { name: this.name(seat) }), null)]
    return done.map(({ district, points, cities }) => {
      const words = t('count.district', { name: this.name(seat), district, points: signed(points) })
      return this.step('districts', seat, points, words, { cities, tone: 'ticket' })
    })
  }

  attractions(counted: SeatCount, seat: number): CountStep[] {
    const { points, cities } = counted.attractions!
    const words = t('count.attractions', { name: this.name(seat), count: cities.length, points: signed(points) })
    return [this.step('attractions', seat, points, words, { cities, tone: 'ticket' })]
  }

  harbours(counted: SeatCount, seat: number): CountStep[] {
    const steps = counted.harbours!.map(({ city, points, tickets }) => {
      const words = t('count.harbour', { name: this.name(seat), city: this.game.place(city), count: tickets, points: signed(points) })
      return this.step('harbours', seat, points, words, { cities: [city], tone: 'ticket' })
    })
    const { unbuilt_harbours: unbuilt } = counted
    if (unbuilt?.count) {
      const words = t('count.unbuilt_harbours', { name: this.name(seat), count: unbuilt.count, points: signed(unbuilt.points) })
      steps.push(this.step('harbours', seat, unbuilt.points, words, null))
    }
    return steps
  }

  /** City by city: everyone who ties earns it. */
  bonuses(): CountStep[] {
    return this.game.facts.big_cities.map(({ id }) => {
      const earned = this.count.seats.flatMap((counted, seat) => {
        const bonus = counted.bonuses!.find((one) => one.city === id)
        return bonus?.earned ? [{ seat, ...bonus }] : []
      })
      const [first] = earned
      const city = this.game.place(id)
      const highlight: Highlight = { cities: [id], tone: 'ticket' }
      if (!first) return { part: 'bonuses', seat: null, gains: {}, words: t('count.no_bonus', { city }), highlight }
      const names = listed(earned.map(({ seat }) => this.name(seat)))
      const words = t('count.bonus', { city, names, count: first.tickets, points: signed(first.points), tie: earned.length > 1 ? 'yes' : 'no' })
      return { part: 'bonuses', seat: earned.length > 1 ? null : first.seat, gains: Object.fromEntries(earned.map(({ seat, points }) => [seat, points])), words, highlight }
    })
  }

  winner(): CountStep {
    const { winners, seats } = this.count
    const values = { names: listed(winners.map((seat) => this.name(seat))), points: seats[winners[0]!]!.total }
    const words = t(winners.length > 1 ? 'count.winners' : 'count.winner', values)
    return { part: 'winner', seat: winners.length > 1 ? null : winners[0]!, gains: {}, words, highlight: null }
  }
}

function ticketWords(ticket: CountedTicket, values: Record<string, string>, isBorrowed: boolean): string {
  if (!ticket.done) return t('count.ticket_failed', values)
  if (ticket.how) return t(ticket.how === 'in_order' ? 'count.tour_in_order' : 'count.tour_connected', values)
  return t(isBorrowed ? 'count.ticket_borrowed' : 'count.ticket_done', values)
}

/** Every seat's points after this many steps. */
export function totalsAfter(steps: CountStep[], taken: number, seats: number): number[] {
  const totals = new Array<number>(seats).fill(0)
  for (const step of steps.slice(0, taken)) {
    for (const [seat, points] of Object.entries(step.gains)) totals[Number(seat)]! += points
  }
  return totals
}
