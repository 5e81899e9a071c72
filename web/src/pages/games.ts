/** The games in the order of the page, and what it says of them. */
import { say } from '../i18n/i18n.svelte'

export const GAMES = ['europe', 'london', 'usa', 'world', 'card-game'] as const

/** Minutes that a game takes, roughly, with bots that play quickly. */
export const MINUTES: Record<string, number> = { europe: 30, london: 10, usa: 25, world: 45, 'card-game': 15 }

/** Until the server has said how many can play: what all games allow. */
export const USUAL_PLAYERS: [number, number] = [2, 4]

export function gameName(game: string): string {
  return say(`game.${game}`) ?? game
}
