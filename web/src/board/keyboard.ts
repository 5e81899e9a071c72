/** Keys on the board: arrows go to the nearest target in a direction, letters to a place by its name. */
import type { Direction, Target, Targets } from './targets'
import type { Camera } from './camera.svelte'

interface Keys {
  targets: Targets
  camera: Camera
  current: Target
  /** Can it be chosen now? If any can, the arrows only visit those; with Shift they visit all. */
  legal: (target: Target) => boolean
  name: (city: string) => string
  go: (target: Target) => void
  choose: (target: Target) => void
  leave: () => void
}

const ZOOM = 1.4
const ARROWS: string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] satisfies Direction[]

function isArrow(key: string): key is Direction {
  return ARROWS.includes(key)
}

export function keyPressed(event: KeyboardEvent, keys: Keys): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (act(event, keys)) event.preventDefault()
}

function act(event: KeyboardEvent, keys: Keys): boolean {
  const { key } = event
  if (isArrow(key)) return walk(key, event.shiftKey, keys)
  if (key === 'Enter' || key === ' ') keys.choose(keys.current)
  else if (key === '+' || key === '=') keys.camera.step(ZOOM)
  else if (key === '-' || key === '−') keys.camera.step(1 / ZOOM)
  else if (key === '0') keys.camera.fit()
  else if (key === 'Escape') keys.leave()
  else if (/^\p{L}$/u.test(key)) jump(key, keys)
  else return false
  return key !== 'Escape'
}

function walk(direction: Direction, toAll: boolean, { targets, current, legal, go }: Keys): boolean {
  const all = (): boolean => true
  const next = (!toAll && targets.toward(current, direction, legal)) || (toAll || !targets.all.some(legal) ? targets.toward(current, direction, all) : undefined)
  if (next) go(next)
  return true
}

function jump(letter: string, { targets, current, name, go }: Keys): void {
  const next = targets.named(letter, current.key, name)
  if (next) go(next)
}
