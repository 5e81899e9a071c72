/** Finds the place of a call-out: in free water near its subject, or at the edge of the free area. */
import type { Point } from '../api/types'
import type { Place, Shape } from '../board/callout'
import type { Pointed } from '../board/highlight'
import type { Insets, Rect } from '../board/insets'
import type { Frame } from './frame'

/** What the board offers to whoever speaks of a place on it. */
export interface Ground {
  placeFor(subject: Pointed, shapes: Shape[], avoid?: Rect[], dear?: readonly string[]): Place | null
  focusOn(subject: Pointed, covered?: Insets): void
}

/** The shapes that a call-out tries, as `data-form`. */
const FORMS = ['wide', 'tall'] as const
const CLEAR = 30 // pixels between a sheet, or the edge of the screen, and what it asks about

/** Gives a call-out its form and place, where it hides none of the cities in `dear` if there is such a place. Null if the board has no place for it: then it stands where the question always stands. */
export function settle(node: HTMLElement, ground: Ground, subject: Pointed, avoid: Rect[], dear: readonly string[]): Place | null {
  const shapes = FORMS.map((form) => {
    node.dataset.form = form
    return { width: node.offsetWidth, height: node.offsetHeight }
  })
  const place = ground.placeFor(subject, shapes, avoid, dear)
  node.dataset.form = FORMS[place?.shape ?? 0]!
  node.style.left = place ? `${Math.round(place.x)}px` : ''
  node.style.top = place ? `${Math.round(place.y)}px` : ''
  node.classList.toggle('placed', place !== null)
  return place
}

/** Undoes `settle`: it stands where its style puts it. */
export function release(node: HTMLElement): void {
  node.style.left = node.style.top = ''
  node.classList.remove('placed')
  delete node.dataset.form
}

/** A pin on the subject, for a question that stands elsewhere. */
export function pinOn(ground: Ground, subject: Pointed): Place | null {
  const place = ground.placeFor(subject, [{ width: 1, height: 1 }])
  return place && { ...place, line: null }
}

/** The board glides, if a sheet lies over what it asks about. */
export function uncover(ground: Ground, subject: Pointed, sheet: Rect, frame: Frame): void {
  const free = besides(sheet, frame)
  const at = pinOn(ground, subject)?.pin
  if (at && free.some((insets) => isWithin(at, insets))) return
  ground.focusOn(subject, largest(free))
}

/** What a sheet and the panels cover of the board. */
export function coveredBy(sheet: Rect, frame: Frame): Insets {
  return largest(besides(sheet, frame))
}

/** What can stay free: above the sheet, or at the right of it. */
function besides(sheet: Rect, { insets, shape }: Frame): Insets[] {
  const beside = shape === 'upright' ? [above(sheet)] : [above(sheet), rightOf(sheet)]
  return beside.map((covered) => ({ ...insets, ...covered }))
}

function largest(free: Insets[]): Insets {
  return free.reduce((one, other) => (areaOf(other) > areaOf(one) ? other : one))
}

const above = (sheet: Rect): Partial<Insets> => ({ bottom: innerHeight - sheet.y + CLEAR })
const rightOf = (sheet: Rect): Partial<Insets> => ({ left: sheet.x + sheet.width + CLEAR })

function isWithin({ x, y }: Point, { left, top, right, bottom }: Insets): boolean {
  return x > left + CLEAR && y > top && x < innerWidth - right - CLEAR && y < innerHeight - bottom
}

function areaOf({ left, top, right, bottom }: Insets): number {
  return (innerWidth - left - right) * (innerHeight - top - bottom)
}

/** The boxes of panels that a call-out must not cover, as far as they are shown. */
export function boxesOf(selectors: string): Rect[] {
  return [...document.querySelectorAll(selectors)].map((one) => one.getBoundingClientRect()).filter((box) => box.width * box.height > 0)
}
