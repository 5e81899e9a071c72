/** The server's decisions (`claim berlin-wien`) in words, and what they highlight on the board. */
import { t } from '../i18n/i18n.svelte'
import { cardName } from '../look/cards'
import type { Game } from '../state/games.svelte'

export function split(decision: string): [verb: string, what: string] {
  const at = decision.indexOf(' ')
  return at < 0 ? [decision, ''] : [decision.slice(0, at), decision.slice(at + 1)]
}

/** What follows the verb in each decision that begins with it. */
export function after(verb: string, legal: string[]): Set<string> {
  return new Set(legal.filter((one) => one.startsWith(`${verb} `)).map((one) => one.slice(verb.length + 1)))
}

/** With its points if another ticket has the same name. */
function ticketText(game: Game, ticket: string): string {
  const name = game.ticketName(ticket)
  const isAlone = [...game.tickets.keys()].every((other) => other === ticket || game.ticketName(other) !== name)
  return isAlone ? name : `${name} (${t('common.points', { count: game.tickets.get(ticket)?.points ?? 0 })})`
}

export function decisionText(game: Game, decision: string, row: (string | null)[]): string {
  const [verb, what] = split(decision)
  switch (verb) {
    case 'claim':
      return t('decision.claim', { route: game.routeName(what) })
    case 'build':
      return t('decision.build', { city: game.place(what), kind: game.building })
    case 'keep':
    case 'return':
      return t(`decision.${verb}`, { ticket: ticketText(game, what) })
    case 'pay':
      return t('decision.pay', { card: cardName(game, what) })
    case 'place':
      return t('decision.place', { card: cardName(game, what) })
    case 'take':
      return t('decision.take', { card: cardName(game, row[Number(what)] ?? '') })
    case 'draw':
    case 'fill':
      return t(`decision.${verb}`, { deck: what })
    case 'supply':
      return t('decision.supply', { trains: Number(what) })
    case 'exchange':
      return t('decision.exchange', { count: Number(what.split(' ')[0]), piece: what.endsWith('ships') ? 'ships' : 'trains' })
    case 'complete':
      return t('decision.complete', { ticket: ticketText(game, what) })
    case 'abandon':
    case 'done':
    case 'pass':
    case 'tickets':
      return t(`decision.${verb}`)
    default:
      return decision
  }
}
