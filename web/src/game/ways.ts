/** The ways to pay in the order in which one would choose them: without wild cards, and with the colours that are least useful to the payer. */
import type { Position } from '../api/types'
import { t } from '../i18n/i18n.svelte'
import { handOrder, wildName } from '../look/cards'
import type { Game } from '../state/games.svelte'
import { wantedColours, type Wanted } from './wanted'

export interface Way {
  cards: Record<string, number>
  decisions: string[]
  /** What speaks for or against it. */
  note: string
}

interface Weighed {
  cards: Record<string, number>
  decisions: string[]
  wilds: number
  /** Spaces of wanted routes that could no longer be paid for. */
  missed: number
  wantedFor?: Wanted
  /** Spaces covered in vain, and cards of these colours in hand. */
  waste: number
  held: number
}

export function waysToPay(game: Game, position: Position, you: number): Way[] {
  const own = position.seats[String(you)]
  const wanted = wantedColours(game, own)
  const paidFor = position.payment?.route ?? position.tunnel?.route
  const hand = own?.hand ?? {}
  const weighed = (position.payments ?? []).map((way) => weigh(game, way, hand, wanted, paidFor ?? undefined))
  weighed.sort((a, b) => a.wilds - b.wilds || a.missed - b.missed || a.waste - b.waste || a.held - b.held)
  return weighed.map((way, number) => ({ cards: inOrder(game, way.cards), decisions: way.decisions, note: noteOf(game, way, number === 0 && weighed.length > 1) }))
}

function weigh(game: Game, { cards, decisions }: { cards: Record<string, number>; decisions: string[] }, hand: Record<string, number>, wanted: Map<string, Wanted>, paidFor?: string): Weighed {
  const weighed: Weighed = { cards, decisions, wilds: 0, missed: 0, waste: 0, held: 0 }
  for (const [card, count] of Object.entries(cards)) {
    const facts = game.cards.get(card)
    weighed.waste += count * (facts?.covers ?? 1)
    if (!facts?.colour) {
      weighed.wilds += count
      continue
    }
    weighed.held += hand[card] ?? 0
    const want = wanted.get(facts.colour)
    const needed = want ? want.spaces - (want.route.id === paidFor ? want.route.length : 0) : 0
    const missed = Math.max(0, Math.min(count, needed - ((hand[card] ?? 0) - count)))
    weighed.missed += missed
    if (missed > 0 && want!.route.id !== paidFor) weighed.wantedFor = want
  }
  return weighed
}

function noteOf(game: Game, { wilds, wantedFor }: Weighed, isBest: boolean): string {
  if (wilds > 0) return t('payment.spends_wild', { count: wilds, wild: wildName(game) })
  if (wantedFor) return t('payment.wanted_for', { route: game.routeName(wantedFor.route.id) })
  return isBest ? t('payment.least_useful') : ''
}

function inOrder(game: Game, cards: Record<string, number>): Record<string, number> {
  const order = new Map(handOrder(game).map((card, place) => [card, place]))
  return Object.fromEntries(Object.entries(cards).sort(([a], [b]) => order.get(a)! - order.get(b)!))
}
