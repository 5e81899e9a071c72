/** What is pointed at on the board, by mouse, finger or keyboard, and what is chosen that way. */
import type { Point } from '../api/types'
import type { Game } from '../state/games.svelte'
import { keyPressed } from './keyboard'
import type { Pointed } from './highlight'
import type { Target, Targets } from './targets'
import type { Camera } from './camera.svelte'

/** What is on the board now. */
interface Around {
  game: Game
  targets: Targets
  camera: Camera
  isLegal: (target: Target) => boolean
  chosen: string | null
  onroute?: (route: string) => void
  oncity?: (city: string) => void
  onpoint?: (what: Pointed | null) => void
}

const FINGER = 22 // pixels around a finger within which it hits a target
const MOUSE = 11

export class Pointing {
  current = $state<string | null>(null) // where the keyboard focus is, or will enter
  focused = $state<string | null>(null)
  hovered = $state<string | null>(null)

  constructor(private readonly around: () => Around) {}

  /** The one target that the Tab key reaches. */
  get entry(): Target {
    const { targets, isLegal } = this.around()
    return targets.get(this.current) ?? targets.all.find(isLegal) ?? targets.all[0]!
  }

  tap(at: Point, isTouch: boolean): boolean {
    const target = this.under(at, isTouch)
    if (target) this.choose(target)
    return target !== undefined
  }

  hover(at: Point | null): void {
    const target = at ? this.under(at, false) : undefined
    if (this.hovered === (target?.key ?? null)) return
    this.hovered = target?.key ?? null
    this.tell(target)
  }

  /** Listens to keys, focus and the clicks of screen readers until you call the function it returns. */
  listen(sheet: HTMLElement): () => void {
    const stop = new AbortController()
    const { signal } = stop
    sheet.addEventListener('focusin', (event) => this.focusCame(event.target as Element), { signal })
    sheet.addEventListener('focusout', (event) => this.focusLeaves(event.target as Element, signal), { signal })
    sheet.addEventListener('keydown', (event) => this.pressed(event, sheet), { signal })
    sheet.addEventListener('click', (event) => this.clicked(event), { signal })
    return () => stop.abort()
  }

  private under(at: Point, isTouch: boolean): Target | undefined {
    const { targets, camera, game } = this.around()
    const { space, city_radius } = game.layout!
    return targets.nearest(camera.toBoard(at), Math.max(camera.units(isTouch ? FINGER : MOUSE), space.width / 2 + 1), city_radius)
  }

  private choose(target: Target): void {
    const { onroute, oncity } = this.around()
    this.current = target.key
    if (target.kind === 'route') onroute?.(target.id)
    else oncity?.(target.id)
  }

  private tell(target: Target | undefined): void {
    this.around().onpoint?.(target ? { [target.kind]: target.id } : null)
  }

  private targetOf(element: Element): Target | undefined {
    return this.around().targets.get(element.closest<SVGElement>('[data-key]')?.dataset.key ?? null)
  }

  private focusCame(element: Element): void {
    const target = this.targetOf(element)
    if (!target || !element.matches(':focus-visible')) return
    this.current = this.focused = target.key
    this.around().camera.show(target.kind === 'route' ? target.lines.flat() : [target])
    this.tell(target)
  }

  /** This also fires while the board is being removed, when nothing may change, so we look at it afterwards. */
  private focusLeaves(element: Element, signal: AbortSignal): void {
    queueMicrotask(() => {
      if (signal.aborted || document.activeElement === element || this.focused !== this.targetOf(element)?.key) return
      this.tell(undefined)
      this.focused = null
    })
  }

  private pressed(event: KeyboardEvent, sheet: HTMLElement): void {
    const { targets, camera, game, isLegal, chosen } = this.around()
    keyPressed(event, {
      targets,
      camera,
      current: this.entry,
      legal: isLegal,
      name: (city) => game.place(city),
      go: (target) => this.go(target, sheet),
      choose: (target) => this.choose(target),
      leave: () => chosen === null && (document.activeElement as SVGElement).blur(), // if something is chosen, Escape cancels that instead
    })
  }

  private go(target: Target, sheet: HTMLElement): void {
    this.current = target.key
    sheet.querySelector<SVGElement>(`[data-key="${target.key}"]`)?.focus({ preventScroll: true })
  }

  /** Screen readers click without a pointer; pointers are handled as gestures. */
  private clicked(event: MouseEvent): void {
    const target = this.targetOf(event.target as Element)
    if (target && event.detail === 0) this.choose(target)
  }
}
