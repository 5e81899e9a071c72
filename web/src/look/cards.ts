/** How kinds of cards look and what they are called. */
import type { CardFacts } from '../api/types'
import { t, type Key } from '../i18n/i18n.svelte'
import type { Game } from '../state/games.svelte'
import type { Picture } from './pictures'

/** What a deck's cards show on their backs. */
export function backPicture(deck: string, game: string): Picture {
  if (deck === 'ship') return 'ship'
  return game === 'london' ? 'bus' : 'wagon'
}

export function pictureOf(card: CardFacts, game: string): Picture {
  if (card.deck === 'ship') return card.covers > 1 ? 'ships' : 'ship'
  if (card.colour || game === 'london') return backPicture(card.deck, game)
  return 'locomotive'
}

export function colourName(colour: string | null | undefined): string {
  return t(`colour.${colour ?? 'wild'}` as Key)
}

const JOKERS = new Set(['london', 'world']) // where a wild card shows no locomotive

export function wildName(game: Game): string {
  return t(JOKERS.has(game.facts.game) ? 'colour.joker' : 'colour.wild')
}

/** `red`, `locomotive`, `red double ship`, `red train with anchor`. */
export function cardName(game: Game, id: string): string {
  const card = game.cards.get(id)
  if (!card) return id
  if (!card.colour) return wildName(game)
  if (game.facts.decks.length < 2) return colourName(card.colour)
  const kind = card.deck === 'ship' ? (card.covers > 1 ? 'double_ship' : 'ship') : 'train'
  return t(`card.${kind}` as Key, { colour: colourName(card.colour), harbour: card.harbour ? 'yes' : 'no' })
}

/** The order of a hand: by colour, trains before ships, wild cards last. */
export function handOrder(game: Game): string[] {
  const rank = new Map(game.facts.colours.map((colour, number) => [colour, number]))
  const kinds = [...game.facts.cards]
  kinds.sort((a, b) => (a.colour ? rank.get(a.colour)! : 99) - (b.colour ? rank.get(b.colour)! : 99))
  return kinds.map((card) => card.id)
}
