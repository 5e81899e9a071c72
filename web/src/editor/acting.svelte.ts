/** What mouse, finger and keys do on the map, whichever of them it was: select, place a city, join two. */
import type { Point } from '../api/types'
import { t } from '../i18n/i18n.svelte'
import { addCity, addRoute, addTicket, between, GRAY, moveCity, placeOf, removeCity, removeRoute, removeTicket, suggested, tableAt, type Place } from './document'
import type { Editing, Selection } from './editing.svelte'
import { flat, placeAt } from './projection'
import { distance, likelyLength, tracksOf, type Track } from './tracks'
import type { MapCamera } from './camera.svelte'

const CLOSE = { mouse: 13, touch: 24 } // pixels to a city
const ON_TRACK = { mouse: 8, touch: 15 }
const NUDGE = 4 // pixels

export type Pointer = keyof typeof CLOSE

export class Acting {
  /** The first of two cities that are to be joined. */
  from = $state<string | null>(null)
  /** What was done, for those who do not see the map. */
  said = $state('')
  colour = GRAY

  constructor(
    readonly editing: Editing,
    readonly camera: MapCamera,
  ) {}

  spots = $derived.by(() => new Map(this.editing.document.cities.flatMap((city) => (placeOf(city) ? [[city.id, flat(placeOf(city)!)] as const] : []))))
  seen = $derived.by(() => new Map([...this.spots].map(([id, spot]) => [id, this.camera.seen(spot)])))
  tracks = $derived.by<Track[]>(() => tracksOf(this.editing.document, this.seen))

  cityAt(at: Point, pointer: Pointer): number | undefined {
    const far = this.editing.document.cities.map(({ id }) => {
      const spot = this.seen.get(id)
      return spot ? Math.hypot(spot.x - at.x, spot.y - at.y) : Infinity
    })
    const nearest = far.indexOf(Math.min(...far))
    return nearest >= 0 && far[nearest]! <= CLOSE[pointer] ? nearest : undefined
  }

  routeAt(at: Point, pointer: Pointer): number | undefined {
    const near = this.tracks.map((track) => ({ index: track.index, far: distance(track, at) })).sort((one, other) => one.far - other.far)[0]
    return near && near.far <= ON_TRACK[pointer] ? near.index : undefined
  }

  /** A click, a tap, or Enter at the cross. */
  act(at: Point, pointer: Pointer): void {
    const city = this.cityAt(at, pointer)
    const { tool } = this.editing
    if (tool === 'route' || tool === 'ticket') this.join(city)
    else if (city !== undefined) this.select({ kind: 'city', index: city })
    else if (tool === 'city') this.place(placeAt(this.camera.spot(at)))
    else {
      const route = this.routeAt(at, pointer)
      this.select(route === undefined ? null : { kind: 'route', index: route })
    }
  }

  place(place: Place): void {
    const number = this.editing.document.cities.length + 1
    this.editing.change(addCity(t('editor.city_number', { number }), place))
    this.select({ kind: 'city', index: this.editing.document.cities.length - 1 })
  }

  select(selection: Selection | null): void {
    this.editing.selected = selection
    const { cities, routes, tickets } = this.editing.document
    if (selection?.kind === 'city') this.said = cities[selection.index]!.name
    else if (selection?.kind === 'route') this.said = this.nameOf(routes[selection.index]!)
    else if (selection?.kind === 'ticket') this.said = this.nameOf(tickets[selection.index]!)
  }

  /** Select a route or a ticket and see that it is in sight, while the panel stays as it is. */
  show(kind: 'route' | 'ticket', index: number): void {
    const { routes, tickets } = this.editing.document
    const { a, b } = (kind === 'route' ? routes : tickets)[index]!
    if (![a, b].every((city) => this.isInSight(city))) this.camera.fit([...this.spots.values()])
    this.select({ kind, index, stays: true })
  }

  private isInSight(city: string): boolean {
    const at = this.seen.get(city)
    return at !== undefined && at.x > 0 && at.y > 0 && at.x < this.camera.width && at.y < this.camera.height
  }

  nameOf({ a, b }: { a: string; b: string }): string {
    return [a, b].map((id) => this.editing.document.cities.find((city) => city.id === id)?.name ?? id).join('–')
  }

  /** The first city, then the second; the same one again takes it back. */
  join(city: number | undefined): void {
    if (city === undefined) return this.stop()
    const { id, name } = this.editing.document.cities[city]!
    if (this.from === null) {
      this.from = id
      this.said = t('editor.from', { city: name })
      return
    }
    if (this.from !== id) this.joined(this.from, id)
    this.from = null
  }

  private joined(a: string, b: string): void {
    const { editing } = this
    if (editing.tool === 'ticket') {
      editing.change(addTicket(a, b, suggested(editing.values, a, b) ?? 1))
      editing.selected = { kind: 'ticket', index: editing.document.tickets.length - 1 }
    } else {
      const there = between(editing.document, a, b)
      if (!there.length) editing.change(addRoute(a, b, this.likely(a, b), this.colour))
      this.select({ kind: 'route', index: there[0] ?? editing.document.routes.length - 1 })
    }
    this.said = this.nameOf({ a, b })
  }

  private likely(a: string, b: string): number {
    const lengths = Object.keys(tableAt(this.editing.document, 'routes.points')).map(Number)
    return likelyLength(this.editing.document, this.spots, a, b, Math.max(1, ...lengths))
  }

  stop(): void {
    this.from = null
  }

  /** All moves of one drag are one step. */
  drag(city: number, at: Point, drag: string): void {
    this.editing.change(moveCity(city, placeAt(this.camera.spot(at))), drag)
  }

  nudge(x: number, y: number): void {
    const { selected, document } = this.editing
    const at = selected?.kind === 'city' && this.seen.get(document.cities[selected.index]!.id)
    if (at) this.drag(selected.index, { x: at.x + NUDGE * x, y: at.y + NUDGE * y }, `nudge ${selected.index}`)
  }

  remove(): void {
    const { selected } = this.editing
    if (!selected) return
    const gone = { city: removeCity, route: removeRoute, ticket: removeTicket }[selected.kind]
    this.editing.change(gone(selected.index))
    this.editing.selected = null
    this.said = t('editor.removed')
  }
}
