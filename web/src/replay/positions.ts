/** What is on the board in a position: who owns a route, who has built in a city, what a hand holds. */
import type { Position } from '../api/types'

/** The seat that has claimed each route. */
export function ownersOf(position: Position | null): Record<string, number> {
  const owners: Record<string, number> = {}
  for (const [seat, facts] of Object.entries(position?.seats ?? {})) {
    for (const route of facts.routes ?? []) owners[route] = Number(seat)
  }
  return owners
}

/** The seats that have built in a city. */
export function buildingsOf(position: Position | null): Record<string, number[]> {
  const buildings: Record<string, number[]> = {}
  for (const [seat, facts] of Object.entries(position?.seats ?? {})) {
    for (const city of facts.buildings ?? []) (buildings[city] ??= []).push(Number(seat))
  }
  return buildings
}

/** The hands that the viewer knows, by seat: cards by kind. */
export function handsOf(position: Position | null): Record<number, Record<string, number>> {
  const hands: Record<number, Record<string, number>> = {}
  for (const [seat, facts] of Object.entries(position?.seats ?? {})) {
    if (facts.hand) hands[Number(seat)] = facts.hand
  }
  return hands
}
