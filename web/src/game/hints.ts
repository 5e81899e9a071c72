/** What a hint shows on the board. */
import type { Hint } from '../api/types'
import type { Highlight, Pointed } from '../board/highlight'
import { split } from './decisions'

const MOST_PLANNED = 6

/** The route or city that it is about. */
export function subjectOf({ decision, plan }: Hint): Pointed | null {
  const [verb, what] = split(decision)
  if (verb === 'claim') return { route: what }
  if (verb === 'build') return { city: what }
  const next = plan.routes?.[0]?.route
  return next ? { route: next } : null
}

/** What it advises, and the next routes of its plan. */
export function planOf({ decision, plan }: Hint): Highlight {
  const [verb, what] = split(decision)
  const planned = (plan.routes ?? []).slice(0, MOST_PLANNED).map((one) => one.route)
  return { routes: [...new Set(verb === 'claim' ? [what, ...planned] : planned)], cities: verb === 'build' ? [what] : [], tone: 'hint' }
}
