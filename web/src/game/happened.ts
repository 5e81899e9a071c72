/** What rivals have done since the viewer's last turn, shown move by move on the board, in seconds. */
import type { Highlight } from '../board/highlight'
import type { Game } from '../state/games.svelte'
import type { Table } from '../state/table.svelte'
import { lines, type Line } from './log'
import { sinceMyTurn } from './recent'

const EACH = 1_100 // milliseconds
const IN_ALL = 7_000 // at most: with many moves each is shorter

export function linesSince(game: Game, table: Table): Line[] {
  const told = lines(game, sinceMyTurn(table.events, table.you), table.state?.seats ?? {})
  return told.filter((line) => !line.aside && line.seat !== undefined && line.seat !== table.you)
}

/** Shows one line after the other; call what it returns to stop. */
export function show(told: Line[], onhighlight: (highlight: Highlight | null) => void, online: (line: Line | null) => void): () => void {
  const each = Math.min(EACH, IN_ALL / told.length)
  const timers = told.map((line, place) =>
    window.setTimeout(() => {
      online(line)
      onhighlight({ routes: line.routes, cities: line.cities, tone: 'log', seat: line.seat })
    }, place * each),
  )
  const stop = (): void => {
    timers.forEach(clearTimeout)
    online(null)
    onhighlight(null)
  }
  timers.push(window.setTimeout(stop, told.length * each + EACH))
  return stop
}
