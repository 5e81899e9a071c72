/** What of the board is pointed at, by mouse, finger or keyboard, and what is chosen so. */
import type { Point } from '../api/types'
import type { Game } from '../state/games.svelte'
import { keyPressed } from './keyboard'
import type { Pointed } from './lit'
import type { Thing, Things } from './things'
import type { View } from './view.svelte'

/** What the board has now. */
interface Around {
  game: Game
  things: Things
  view: View
  isLegal: (thing: Thing) => boolean
  chosen: string | null
  onroute?: (route: string) => void
  oncity?: (city: string) => void
  onpoint?: (what: Pointed | null) => void
}

const FINGER = 22 // pixels around a finger in which a thing is hit
const MOUSE = 11

export class Pointing {
  current = $state<string | null>(null) // where the keyboard is or will come in
  focused = $state<string | null>(null)
  hovered = $state<string | null>(null)

  constructor(private readonly around: () => Around) {}

  /** The one thing that the Tab key reaches. */
  get entry(): Thing {
    const { things, isLegal } = this.around()
    return things.get(this.current) ?? things.all.find(isLegal) ?? things.all[0]!
  }

  tap(at: Point, isTouch: boolean): boolean {
    const thing = this.under(at, isTouch)
    if (thing) this.choose(thing)
    return thing !== undefined
  }

  hover(at: Point | null): void {
    const thing = at ? this.under(at, false) : undefined
    if (this.hovered === (thing?.key ?? null)) return
    this.hovered = thing?.key ?? null
    this.tell(thing)
  }

  /** Listens to keys, focus and the clicks of screen readers until the answer is called. */
  listen(sheet: HTMLElement): () => void {
    const stop = new AbortController()
    const { signal } = stop
    sheet.addEventListener('focusin', (event) => this.focusCame(event.target as Element), { signal })
    sheet.addEventListener('focusout', (event) => this.focusLeaves(event.target as Element, signal), { signal })
    sheet.addEventListener('keydown', (event) => this.pressed(event, sheet), { signal })
    sheet.addEventListener('click', (event) => this.clicked(event), { signal })
    return () => stop.abort()
  }

  private under(at: Point, isTouch: boolean): Thing | undefined {
    const { things, view, game } = this.around()
    const { space, city_radius } = game.layout!
    return things.nearest(view.toBoard(at), Math.max(view.units(isTouch ? FINGER : MOUSE), space.width / 2 + 1), city_radius)
  }

  private choose(thing: Thing): void {
    const { onroute, oncity } = this.around()
    this.current = thing.key
    if (thing.kind === 'route') onroute?.(thing.id)
    else oncity?.(thing.id)
  }

  private tell(thing: Thing | undefined): void {
    this.around().onpoint?.(thing ? { [thing.kind]: thing.id } : null)
  }

  private thingOf(target: Element): Thing | undefined {
    return this.around().things.get(target.closest<SVGElement>('[data-key]')?.dataset.key ?? null)
  }

  private focusCame(target: Element): void {
    const thing = this.thingOf(target)
    if (!thing || !target.matches(':focus-visible')) return
    this.current = this.focused = thing.key
    this.around().view.show(thing.kind === 'route' ? thing.lines.flat() : [thing])
    this.tell(thing)
  }

  /** Heard also while the board is being taken away, when nothing may change: so it is looked at afterwards. */
  private focusLeaves(target: Element, signal: AbortSignal): void {
    queueMicrotask(() => {
      if (signal.aborted || document.activeElement === target || this.focused !== this.thingOf(target)?.key) return
      this.tell(undefined)
      this.focused = null
    })
  }

  private pressed(event: KeyboardEvent, sheet: HTMLElement): void {
    const { things, view, game, isLegal, chosen } = this.around()
    keyPressed(event, {
      things,
      view,
      current: this.entry,
      legal: isLegal,
      name: (city) => game.place(city),
      go: (thing) => this.go(thing, sheet),
      choose: (thing) => this.choose(thing),
      leave: () => chosen === null && (document.activeElement as SVGElement).blur(), // with something chosen, Escape is about that
    })
  }

  private go(thing: Thing, sheet: HTMLElement): void {
    this.current = thing.key
    sheet.querySelector<SVGElement>(`[data-key="${thing.key}"]`)?.focus({ preventScroll: true })
  }

  /** Screen readers click without a pointer; pointers were heard as gestures. */
  private clicked(event: MouseEvent): void {
    const thing = this.thingOf(event.target as Element)
    if (thing && event.detail === 0) this.choose(thing)
  }
}
