#!/usr/bin/env node
// A bot in JavaScript: it looks for the cheapest way for each of its tickets, and claims what lies on these ways. Try it:
//
//     branchline check-bot examples/bots/surveyor.mjs
//     branchline arena examples/bots/surveyor.mjs greedy
//
// It speaks the protocol in docs/protocol.md, a line of JSON each way, and needs nothing but Node.

import { createInterface } from 'node:readline'

let board, seat // of the current game

const tell = (message) => process.stdout.write(JSON.stringify(message) + '\n')

const answers = {
  hello: () => tell({ type: 'hello', protocol: 1, name: 'surveyor', description: 'Looks for the cheapest way for each ticket.', explains: true, wants: ['view'] }),
  new_game: (message) => {
    board = message.board
    seat = message.seat
    board.card = Object.fromEntries(board.cards.map((card) => [card.id, card]))
    board.route = Object.fromEntries(board.routes.map((route) => [route.id, route]))
    board.ticket = Object.fromEntries(board.tickets.map((ticket) => [ticket.id, ticket]))
    tell({ type: 'ready', id: message.id })
  },
  decide: ({ id, view, legal }) => tell({ type: 'decision', id, decision: decide(view, legal) }),
  explain: ({ id, view, legal }) => tell({ type: 'explanation', id, explanation: { wanted: [...wantedRoutes(view)].sort(), decision: decide(view, legal) } }),
  quit: () => process.exit(0),
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line)
    answers[message.type]?.(message) // messages of later versions are ignored
  })
  .on('close', () => process.exit(0))

/** The cheapest way from one city to another over own and free routes: its routes that are still free, and what they cost. */
function cheapestWay(from, to, cost) {
  const best = new Map([[from, { cost: 0, routes: [] }]])
  const open = new Set([from])
  while (open.size) {
    const here = [...open].reduce((a, b) => (best.get(b).cost < best.get(a).cost ? b : a))
    if (here === to) return best.get(here)
    open.delete(here)
    for (const route of board.routes) {
      if (cost[route.id] === undefined || (route.a !== here && route.b !== here)) continue
      const there = route.a === here ? route.b : route.a
      const total = best.get(here).cost + cost[route.id]
      if (total < (best.get(there)?.cost ?? Infinity)) {
        best.set(there, { cost: total, routes: cost[route.id] ? [...best.get(here).routes, route.id] : best.get(here).routes })
        open.add(there)
      }
    }
  }
  return null
}

/** What each route costs: nothing if it is ours, its length if it is free; routes of others are left out. */
function costs(view) {
  const taken = new Set(view.seats.flatMap((one, number) => (number === seat ? [] : (one.routes ?? []))))
  const own = new Set(view.seats[seat].routes ?? [])
  const pieces = Object.values(view.seats[seat].pieces ?? {}).reduce((a, b) => a + b, 0)
  const free = board.routes.filter((route) => !taken.has(route.id) && (own.has(route.id) || route.length <= pieces))
  return Object.fromEntries(free.map((route) => [route.id, own.has(route.id) ? 0 : route.length + 1]))
}

const stops = (ticket) => [ticket.a, ...(ticket.via ?? []), ticket.b]

function wayOf(ticket, cost) {
  const legs = stops(ticket).slice(1).map((to, leg) => cheapestWay(stops(ticket)[leg], to, cost))
  return legs.includes(null) ? null : { cost: legs.reduce((sum, leg) => sum + leg.cost, 0), routes: legs.flatMap((leg) => leg.routes) }
}

function wantedRoutes(view) {
  const cost = costs(view)
  const done = new Set(view.seats[seat].done ?? [])
  const open = (view.seats[seat].held ?? []).filter((ticket) => !done.has(ticket) && board.ticket[ticket].a)
  return new Set(open.flatMap((ticket) => wayOf(board.ticket[ticket], cost)?.routes ?? []))
}

/** The colours that the wanted routes ask for, each with how many cards are missing. */
function missing(view, wanted) {
  const needs = {}
  for (const id of wanted) needs[board.route[id].colour] = (needs[board.route[id].colour] ?? 0) + board.route[id].length
  if (board.yards) for (const id of view.seats[seat].held ?? []) for (const colour of board.ticket[id].cards ?? []) needs[colour] = (needs[colour] ?? 0) + 1
  return needs
}

const best = (choices, worth) => choices.reduce((a, b) => (worth(b) > worth(a) ? b : a))
const cardIn = (decision, view) => board.card[view.row[Number(decision.split(' ')[1])]]

/** Is a ticket worth keeping? Yes, if its way is short for its points. */
function worthKeeping(ticket, view) {
  if (!board.routes.length) return ticket.points >= 8
  const way = ticket.a ? wayOf(ticket, costs(view)) : null
  return way !== null && way.cost <= 2 * ticket.points
}

function decide(view, legal) {
  const can = (verb) => legal.filter((text) => text === verb || text.startsWith(verb + ' '))
  const wanted = wantedRoutes(view)
  const needs = missing(view, wanted)
  const hand = view.seats[seat].known
  const need = (card) => (card.colour ? (needs[card.colour] ?? 0) : 100)

  if (view.offer) {
    const ticket = view.offer[view.offer_at]
    const choice = `${worthKeeping(board.ticket[ticket], view) ? 'keep' : 'return'} ${ticket}`
    return legal.includes(choice) ? choice : legal[0]
  }
  if (can('complete').length) return best(can('complete'), (text) => board.ticket[text.slice('complete '.length)].points)
  const claims = can('claim')
  const planned = claims.filter((text) => wanted.has(text.slice('claim '.length)))
  if (planned.length) return best(planned, (text) => board.route[text.slice('claim '.length)].length)
  if (!wanted.size && claims.length) return best(claims, (text) => board.route[text.slice('claim '.length)].points)
  if (can('pay').length) return best(can('pay'), (text) => -need(board.card[text.slice('pay '.length)])) // what nothing else needs
  if (can('place').length) return best(can('place'), (text) => hand[text.slice('place '.length)] ?? 0)
  const takes = can('take').filter((text) => need(cardIn(text, view)) > 0)
  if (takes.length) return best(takes, (text) => need(cardIn(text, view)))
  return can('draw')[0] ?? can('fill')[0] ?? can('done')[0] ?? legal[Math.floor(legal.length / 2)]
}
