/** Where the cards of a ticket are, where cards complete tickets. */
import type { Gathering } from '../api/types'
import { cardsText } from '../game/sentences'
import { t } from '../i18n/i18n.svelte'
import type { Game } from '../state/games.svelte'

export type Whereabouts = 'pile' | 'yard' | 'hand' | 'missing'

const NEAREST_FIRST = ['pile', 'yard', 'hand'] as const

/** For each card that a ticket needs. */
export function whereabouts(needed: readonly string[], gathering: Gathering | undefined): Whereabouts[] {
  const left = NEAREST_FIRST.map((place) => ({ place, cards: [...(gathering?.[place] ?? [])] }))
  return needed.map((card) => {
    const found = left.find(({ cards }) => cards.includes(card))
    found?.cards.splice(found.cards.indexOf(card), 1)
    return found?.place ?? 'missing'
  })
}

/** Has a pile the cards of all these tickets together? Wild cards stand for those that are missing (CG-18). */
export function suffices(pile: Readonly<Record<string, number>>, tickets: readonly (readonly string[])[]): boolean {
  const needed = new Map<string, number>()
  for (const card of tickets.flat()) needed.set(card, (needed.get(card) ?? 0) + 1)
  const missing = [...needed].reduce((sum, [card, count]) => sum + Math.max(0, count - (pile[card] ?? 0)), 0)
  return missing <= (pile.wild ?? 0)
}

/** `not in hand or yard: red`; before tickets are completed nobody looks into a pile, unless the table allows it. */
export function gatheredText(game: Game, gathering: Gathering | undefined, knowsPile: boolean): string {
  if (!gathering) return ''
  const [missing, pile] = [gathering.missing ?? [], knowsPile ? 'known' : 'hidden']
  return missing.length ? t('ticket.cards_missing', { cards: cardsText(game, missing), pile }) : t('ticket.gathered', { pile })
}
