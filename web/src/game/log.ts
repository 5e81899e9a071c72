/** The lines of a game's log: events in words. Small events that belong together share a line; what was taken back is left out. */
import { actorOf, isEvent, type GameEvent } from '../api/types'
import { TABLE_EVENTS } from '../api/vocabulary'
import { t } from '../i18n/i18n.svelte'
import type { Game } from '../state/games.svelte'
import { cardsText, deckOf, placesOf, sentence, whoIs, type People, type Places } from './sentences'

export interface Line extends Places {
  /** The index of its first event, which stays the same while the line grows. */
  key: number
  seat: number | undefined
  text: string
  /** What came with it: cards turned up, how many cards moved to the track pile. */
  detail: string
  /** Does a turn begin with it? */
  opens: boolean
  /** About the table, not the game: somebody sits down, leaves, takes back a decision. */
  aside: boolean
}

/** Events that share a line; it is named after the first or the last of them. */
interface Group {
  key: number
  seat: number | undefined
  events: GameEvent[]
  opens: boolean
}

/** What happens at the table rather than in the game; an `undo` does not count these. */
const OF_THE_TABLE = new Set(TABLE_EVENTS)
const NOT_SHOWN = new Set(['begin', 'say'])

/** The events that continue a line, by the event that began it. */
const GOES_ON: Record<string, string[]> = {
  draw: ['draw', 'take', 'fill'],
  take: ['draw', 'take', 'fill'],
  clear_row: ['lay_row'],
  tunnel_lay: ['tunnel_reveal'],
  offer_tickets: ['keep_tickets'],
  undo: ['undo'],
}

export function lines(game: Game, events: readonly GameEvent[], people: People): Line[] {
  return grouped(standing(events))
    .map((group) => lineOf(game, group, people))
    .filter((line) => line !== null)
}

/** Without what was taken back. */
export function standing(events: readonly GameEvent[]): [number, GameEvent][] {
  const kept: [number, GameEvent][] = []
  events.forEach((event, number) => {
    for (let left = event.event === 'undo' ? event.events : 0; left > 0; left--) {
      const last = kept.findLastIndex(([, one]) => !OF_THE_TABLE.has(one.event))
      if (last >= 0) kept.splice(last, 1)
    }
    if (!NOT_SHOWN.has(event.event)) kept.push([number, event])
  })
  return kept
}

function grouped(events: [number, GameEvent][]): Group[] {
  const groups: Group[] = []
  let turn: Group | null = null // has begun, but nothing has happened in it yet
  let first = 0 // group of this turn
  for (const [key, event] of events) {
    if (event.event === 'turn') {
      turn = { key, seat: event.seat, events: [event], opens: true }
      first = groups.length
    } else if (turn && event.event === 'move_to_track') {
      turn.events.push(event)
    } else {
      const open = groups.slice(first).findLast((group) => goesOn(group, event))
      if (open) {
        open.events.push(event)
      } else if (turn && !OF_THE_TABLE.has(event.event)) {
        groups.push({ ...turn, events: [...turn.events.slice(1), event] })
        turn = null
      } else {
        groups.push({ key, seat: actorOf(event), events: [event], opens: false })
      }
    }
  }
  return turn ? [...groups, turn] : groups
}

function goesOn(group: Group, event: GameEvent): boolean {
  const begun = group.events.find((one) => one.event !== 'move_to_track')?.event ?? ''
  const actor = actorOf(event)
  return (GOES_ON[begun]?.includes(event.event) ?? false) && (actor === undefined || actor === group.seat)
}

function lineOf(game: Game, group: Group, people: People): Line | null {
  const [main] = group.events.filter((event) => event.event !== 'move_to_track')
  const told = group.events.findLast((event) => event.event === 'keep_tickets') ?? main ?? group.events[0]!
  const text = textOf(game, group, told, people)
  if (text === null) return null
  const { key, seat, opens } = group
  return { key, seat, text, detail: detailOf(game, group, told), opens, aside: OF_THE_TABLE.has(told.event), ...placesOf(game, told) }
}

function textOf(game: Game, group: Group, told: GameEvent, people: People): string | null {
  if (told.event === 'draw' || told.event === 'take') return t('log.takes', { who: whoIs(people, told.seat), what: taken(game, group.events) })
  if (isNotWorthALine(group, told)) return null
  if (told.event === 'keep_tickets' && told.kept_count !== undefined && group.opens) {
    const kept = told.kept_count
    return t('log.draws_and_keeps', { who: whoIs(people, told.seat), drawn: kept + (told.returned_count ?? 0), kept })
  }
  return sentence(game, told, people)
}

/** It goes without saying that others get cards and tickets at the beginning. */
function isNotWorthALine(group: Group, told: GameEvent): boolean {
  if (told.event === 'deal') return told.count !== undefined
  return told.event === 'offer_tickets' && told.count !== undefined && !group.opens
}

/** `red; green (from the deck)`: face-up cards, then what each deck gave. */
function taken(game: Game, events: GameEvent[]): string {
  const parts = [cardsText(game, events.filter((event) => isEvent(event, 'take')).map((event) => event.card))]
  for (const deck of game.facts.decks) {
    const drawn = events.filter((event) => isEvent(event, 'draw')).filter((event) => event.deck === deck)
    const seen = drawn.flatMap((event) => event.card ?? [])
    const unseen = drawn.length - seen.length
    const of = deckOf(game, deck)
    if (seen.length > 0) parts.push(t('log.from_deck', { cards: cardsText(game, seen), deck: of }))
    if (unseen > 0) parts.push(t('log.from_deck_unseen', { count: unseen, deck: of }))
  }
  return parts.filter(Boolean).join('; ')
}

function detailOf(game: Game, group: Group, told: GameEvent): string {
  const details = group.events.filter((event) => event !== told).map((event) => detail(game, event) ?? '')
  const turnedUp = group.events.flatMap((event) => (isEvent(event, 'fill') && event !== told ? event.card : []))
  if (turnedUp.length > 0) details.push(t('log.turned_up', { cards: cardsText(game, turnedUp) }))
  return details.filter(Boolean).join(' · ')
}

function detail(game: Game, event: GameEvent): string | null {
  if (event.event === 'move_to_track') return t('log.to_track', { count: event.cards?.length ?? event.count ?? 0 })
  return isEvent(event, 'lay_row', 'tunnel_reveal') ? sentence(game, event, {}) : null
}
