/** Keys on the board: arrows go to the nearest thing in a direction, letters to a place by its name. */
import type { Direction, Thing, Things } from './things'
import type { View } from './view.svelte'

interface Keys {
  things: Things
  view: View
  current: Thing
  /** Can it be chosen now? Arrows keep to such things where there are any; with Shift they go to all. */
  legal: (thing: Thing) => boolean
  name: (city: string) => string
  go: (thing: Thing) => void
  choose: (thing: Thing) => void
  leave: () => void
}

const ZOOM = 1.4
const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']

export function keyPressed(event: KeyboardEvent, keys: Keys): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (act(event, keys)) event.preventDefault()
}

function act(event: KeyboardEvent, keys: Keys): boolean {
  const { key } = event
  if (ARROWS.includes(key)) return walk(key as Direction, event.shiftKey, keys)
  if (key === 'Enter' || key === ' ') keys.choose(keys.current)
  else if (key === '+' || key === '=') keys.view.step(ZOOM)
  else if (key === '-' || key === '−') keys.view.step(1 / ZOOM)
  else if (key === '0') keys.view.fit()
  else if (key === 'Escape') keys.leave()
  else if (/^\p{L}$/u.test(key)) jump(key, keys)
  else return false
  return key !== 'Escape'
}

function walk(direction: Direction, toAll: boolean, { things, current, legal, go }: Keys): boolean {
  const all = (): boolean => true
  const next = (!toAll && things.toward(current, direction, legal)) || (toAll || !things.all.some(legal) ? things.toward(current, direction, all) : undefined)
  if (next) go(next)
  return true
}

function jump(letter: string, { things, current, name, go }: Keys): void {
  const next = things.named(letter, current.key, name)
  if (next) go(next)
}
