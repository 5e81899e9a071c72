/** Where the name of a waypoint stands, a junction at sea that the layout leaves unnamed: in one line near it, off all spaces, dots and other names. */
import type { Label, Layout, Point } from '../api/types'

const LETTER = 0.5 // of a name's size: the width of a letter, on average
const AWAY = [9, 15, 21, 27, 33, 40, 50] // units from its middle to the near edge of its name, above or below
const ASIDE = [0, 0.25, 0.5, 0.75, 1, 1.5, 2] // of half the name's width, to either side
const HALF = 0.5
const ROOM = 1 // units around a name
const DOT = 7 // the radius of a city
const HEAVY = 12 // a city or a name that is covered counts as much as nearly a whole space

type Boxed = Point & Pick<Label, 'box'>

/** `others`: the names of cities, which stay where they are. */
export function waypointLabel(at: Point, name: string, layout: Layout, others: readonly Label[]): Label {
  const box: [number, number] = [name.length * LETTER * layout.font_size, layout.line_height ?? layout.font_size]
  const cities = Object.values(layout.cities).map(({ x, y }) => ({ x, y, box: [2 * DOT, 2 * DOT] as Label['box'] }))
  const spaces = spacePoints(layout)
  const spots = spotsNear(at, box).map((middle) => ({ middle, covers: coveredBy(middle, box, spaces, [...cities, ...others]) }))
  const best = spots.reduce((one, other) => (other.covers < one.covers ? other : one))
  return { ...best.middle, lines: [name], box, anchor: 'middle' }
}

/** The nearest first; below rather than above. */
function spotsNear({ x, y }: Point, [width, height]: [number, number]): Point[] {
  const aside = ASIDE.flatMap((share) => (share ? [share * HALF * width, -share * HALF * width] : [0]))
  const spots = AWAY.flatMap((away) => aside.flatMap((dx) => [1, -1].map((side) => ({ x: x + dx, y: y + side * (away + height * HALF) }))))
  const distance = (spot: Point): number => Math.hypot(spot.x - x, spot.y - y)
  return spots.sort((one, other) => distance(one) - distance(other))
}

/** Points all over the spaces, closer together than a name is high. */
function spacePoints(layout: Layout): Point[] {
  const across = layout.space.width * HALF
  return Object.values(layout.routes).flatMap(({ spaces }) =>
    spaces.flatMap(({ x, y, angle, length }) => {
      const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
      return [-HALF, -HALF / 2, 0, HALF / 2, HALF].flatMap((along) =>
        [-across, 0, across].map((beside) => ({ x: x + along * length * cos - beside * sin, y: y + along * length * sin + beside * cos })),
      )
    }),
  )
}

/** What stands on the board as a box weighs more than a point of a space. */
function coveredBy({ x, y }: Point, [width, height]: [number, number], points: readonly Point[], boxes: readonly Boxed[]): number {
  const [right, below] = [width * HALF + ROOM, height * HALF + ROOM]
  const meets = (one: Point, [wide, high]: [number, number]): boolean => Math.abs(one.x - x) < right + wide * HALF && Math.abs(one.y - y) < below + high * HALF
  return points.filter((point) => meets(point, [0, 0])).length + HEAVY * boxes.filter((one) => meets(one, one.box)).length
}
