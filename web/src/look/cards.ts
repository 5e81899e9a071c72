/** How kinds of cards look and what they are called. */
import type { CardFacts } from '../api/types'
import { say, t } from '../i18n/i18n.svelte'
import type { Game } from '../state/games.svelte'
import type { Picture } from './pictures'

/** What a deck's cards show on their backs. */
export function backPicture(deck: string, game: Game): Picture {
  return game.facts.pictures[deck] ?? 'wagon'
}

export function pictureOf(card: CardFacts, game: Game): Picture {
  if (!card.colour) return backPicture('wild', game)
  return backPicture(card.covers > 1 ? `double-${card.deck}` : card.deck, game)
}

export function colourName(colour: string): string {
  return say(`colour.${colour}`) ?? colour
}

export function wildName(game: Game): string {
  return t(`wild.${game.facts.words.wild}`)
}

/** `red`, `locomotive`, `red double ship`, `red train with anchor`. */
export function cardName(game: Game, id: string): string {
  const card = game.cards.get(id)
  if (!card) return id
  if (!card.colour) return wildName(game)
  if (game.facts.decks.length < 2) return colourName(card.colour)
  const kind = card.covers > 1 ? `double_${card.deck}` : card.deck
  return say(`card.${kind}`, { colour: colourName(card.colour), harbour: card.harbour ? 'yes' : 'no' }) ?? id
}

/** The order of a hand: by colour, trains before ships, wild cards last. */
export function handOrder(game: Game): string[] {
  const rank = new Map(game.facts.colours.map((colour, number) => [colour, number]))
  const kinds = [...game.facts.cards]
  kinds.sort((a, b) => (a.colour ? rank.get(a.colour)! : 99) - (b.colour ? rank.get(b.colour)! : 99))
  return kinds.map((card) => card.id)
}
