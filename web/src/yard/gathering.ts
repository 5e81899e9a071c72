/** Where the cards of a ticket are, where cards complete tickets. */
import { get } from '../api/http'
import type { Completable, Gathering } from '../api/types'
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

/** Which of my tickets does my track pile complete besides these? */
export async function askCompletable(table: string, tickets: Iterable<string>): Promise<ReadonlySet<string>> {
  const asked = [...tickets].map((id) => `ticket=${encodeURIComponent(id)}`).join('&')
  return new Set((await get<Completable>(`/api/tables/${table}/completable?${asked}`)).tickets)
}

/** `not in hand or yard: red`; before tickets are completed nobody looks into a pile, unless the table allows it. */
export function gatheredText(game: Game, gathering: Gathering | undefined, knowsPile: boolean): string {
  if (!gathering) return ''
  const [missing, pile] = [gathering.missing ?? [], knowsPile ? 'known' : 'hidden']
  return missing.length ? t('ticket.cards_missing', { cards: cardsText(game, missing), pile }) : t('ticket.gathered', { pile })
}
