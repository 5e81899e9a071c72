/** A replay with all its positions. Moment 0 is the start, moment k the position after the k-th decision. */
import { merged } from '../api/merge'
import type { components } from '../api/schema'
import type { GameEvent, Person } from '../api/types'
import { isProgram, levelName } from '../look/people'

type Schemas = components['schemas']
export type Replay = Schemas['Replay']
export type OpenPosition = Schemas['OpenPosition']

export class Film {
  readonly positions: OpenPosition[]
  readonly people: Record<string, Person>
  /** The moment at which each turn begins; turn 0 is everything before the first. */
  readonly turnStarts: number[]
  /** By seat, its score at the end of each turn; empty if the game has no running count. */
  readonly scoresByTurn: number[][]

  constructor(readonly replay: Replay) {
    this.positions = [replay.start]
    for (const step of replay.steps) this.positions.push(merged(this.positions.at(-1), step.patch) as OpenPosition)
    this.people = Object.fromEntries(replay.seats.map((seat, number) => [String(number), personOf(seat)]))
    this.turnStarts = turnStarts(this.positions)
    this.scoresByTurn = replay.seats.map((_, seat) => this.scoresOf(seat))
  }

  /** Was the game played to its end? */
  get isWhole(): boolean {
    return this.replay.count !== undefined
  }

  get last(): number {
    return this.positions.length - 1
  }

  position(moment: number): OpenPosition {
    return this.positions[moment]!
  }

  /** The turn in which the decision that led to a moment was made. */
  turnOf(moment: number): number {
    return this.positions[Math.max(0, moment - 1)]!.turn
  }

  eventsOf(moment: number): GameEvent[] {
    return moment === 0 ? this.replay.opening : this.replay.steps[moment - 1]!.events
  }

  scoresAt(moment: number): number[] | null {
    return this.replay.steps[moment - 1]?.scores ?? null
  }

  /** The moment at which a turn ends. */
  endOfTurn(turn: number): number {
    return this.turnStarts[turn + 1] ?? this.last
  }

  /** The last moment before this one at which a turn ended, and the first after it. */
  previousTurn(moment: number): number {
    return this.turnStarts.findLast((start) => start < moment) ?? 0
  }

  nextTurn(moment: number): number {
    return this.turnStarts.find((start) => start > moment) ?? this.last
  }

  private scoresOf(seat: number): number[] {
    return this.turnStarts.flatMap((_, turn) => this.scoresAt(this.endOfTurn(turn))?.[seat] ?? [])
  }
}

function turnStarts(positions: OpenPosition[]): number[] {
  const starts: number[] = []
  positions.forEach((position, moment) => {
    while (starts.length <= position.turn) starts.push(moment)
  })
  return starts
}

/** Records may name bots that are not one of the levels: these go by their own names. */
function personOf({ name, player }: Schemas['Player']): Person {
  const level = player.startsWith('bot:') ? player.slice('bot:'.length) : ''
  const isLevel = level !== '' && levelName(level) !== `level.${level}`
  return { name, player: isLevel || isProgram({ player }) ? player : 'human' }
}
