/**
 * How the screen is divided: the board is as large as the screen, and panels float over its edges. The insets are what panels take from each edge; the board's
 * content is fitted into the rest. They depend on the size of the screen and of its type only, never on what a panel shows, so that nothing moves the board.
 */

import type { Insets } from '../board/insets'

/** `columns` at both sides; `bands` above and below; `upright`: a strip above and a dock below; `lying`: a phone on its side. */
export type Shape = 'columns' | 'bands' | 'upright' | 'lying'

/** In pixels. */
export interface Screen {
  width: number
  height: number
  /** The size of the root's type: panels grow with it. */
  rem: number
}

export interface Frame {
  shape: Shape
  /** There is room for larger cards and wider panels. */
  isRoomy: boolean
  insets: Insets
  /** Widths of the cards in the row and in the hand. */
  rowCard: number
  handCard: number
  /** Of the whole row, where it lies side by side in a band. */
  rowWidth: number
}

/** What stands at the edges besides the panels of every screen. */
export interface Supply {
  /** Face-up cards, decks and the tickets, in the row. */
  places: number
  /** Is there a hand at the lower edge? In a replay there are its buttons instead. */
  hasHand: boolean
}

/** Height of a card lying on its side, and of the visible part of one in the hand, by its width. */
export const LYING_CARD = 42 / 64
const IN_HAND = 1.02
const GAP = 0.35 // between cards of the row
const EDGE = 0.6 // between a panel and the edge of the screen

const BUTTONS = { one: 3.5, two: 5.4, told: 4.6, docked: 8.6 } // rem, for the buttons of a replay in one line, in two, and with the words above them in one line or more

const LEAST_COLUMNS = { width: 64, height: 29 } // rem
const LEAST_SIDEWAYS = 50 // a flat screen with large type: narrower columns are better than a dock
const FLAT = 40
const ROOMY = { width: 82, height: 45 }
const PHONE = 41
const LEAST_HAND = 20 // rem, for the hand beside the row and the question in a band
const LEAST_STRIP = 68 // rem, for five seats, what is told and the buttons above the board of a replay
const BESIDE_HAND = 2.8 // rem, for the gaps beside the hand; as in frame.css
const ASKS = { least: 16, most: 24, share: 0.23 } // rem and of the width, for the question in a band; as in frame.css
const MUCH = 1.08 // bands show less of the tickets and no log: they must be worth it
const ABOVE = 0.2 // sheets come from below: the board rests higher than in the middle
const LEAST_QUESTION = 2.7 // rem, which a question takes below a table, whose names it must not cover
const DOCKED = 29 // lower than this there is no room for a dock below the board

export function frameOf(screen: Screen, board: number | null, supply: Supply): Frame {
  const [width, height] = [screen.width / screen.rem, screen.height / screen.rem]
  const isRoomy = width >= ROOMY.width && height >= ROOMY.height
  if (height >= LEAST_COLUMNS.height && (width >= LEAST_COLUMNS.width || (width >= LEAST_SIDEWAYS && height < FLAT && width > height))) {
    const [aside, above] = [columns(screen, isRoomy, supply), bands(screen, isRoomy, supply)]
    const isWorthIt = board !== null && scaleIn(screen, above, board) > MUCH * scaleIn(screen, aside, board)
    const hasRoom = supply.hasHand ? handBeside(screen, above) >= LEAST_HAND : width >= LEAST_STRIP
    return isWorthIt && hasRoom ? above : aside
  }
  const isFlat = width > (height < DOCKED ? 1 : 1.45) * height
  return isFlat ? lying(screen, supply, board === null) : upright(screen, supply, width < PHONE)
}

/** The measures of a frame for `frame.css`. */
export function measures({ insets, rowCard, rowWidth, handCard }: Frame): string {
  const pixels = { 'in-l': insets.left, 'in-t': insets.top, 'in-r': insets.right, 'in-b': insets.bottom, 'row-card': rowCard, 'row-width': rowWidth, 'hand-card': handCard }
  return Object.entries(pixels)
    .map(([name, size]) => `--${name}: ${size}px`)
    .join('; ')
}

/** How large a board of these proportions (width by height) would be. */
function scaleIn(screen: Screen, { insets }: Frame, proportions: number): number {
  return Math.min((screen.width - insets.left - insets.right) / proportions, screen.height - insets.top - insets.bottom)
}

const LEFT = { usual: 12.25, roomy: 13.2 } // rem; as in frame.css

function columns(screen: Screen, isRoomy: boolean, { places, hasHand }: Supply): Frame {
  const { rem } = screen
  const left = (isRoomy ? LEFT.roomy : LEFT.usual) * rem
  const rowCard = Math.min((isRoomy ? 5.5 : 5.05) * rem, columnCard(screen, places, 2 * EDGE + 1))
  const handCard = (isRoomy ? 4.1 : 3.4) * rem
  const insets = { left: left + 1.05 * rem, top: EDGE * rem, right: rowCard + 1.1 * rem, bottom: hasHand ? handCard * IN_HAND + 0.3 * rem : BUTTONS.one * rem }
  return { shape: 'columns', isRoomy, insets, rowCard, handCard, rowWidth: rowCard }
}

function bands({ rem }: Screen, isRoomy: boolean, { places, hasHand }: Supply): Frame {
  const handCard = (isRoomy ? 4.1 : 3.4) * rem
  const rowCard = (isRoomy ? 3.7 : 3.3) * rem
  const insets = { left: 0.25 * rem, top: (isRoomy ? 4.1 : 3.9) * rem, right: 0.25 * rem, bottom: hasHand ? handCard * IN_HAND + 0.45 * rem : BUTTONS.two * rem }
  return { shape: 'bands', isRoomy, insets, rowCard, handCard, rowWidth: places * (rowCard + GAP * rem) + GAP * rem }
}

/** What row and question leave to the hand, in rem: with large type hardly anything. */
function handBeside({ width, rem }: Screen, { rowWidth }: Frame): number {
  const asks = Math.min(ASKS.most, Math.max(ASKS.least, (ASKS.share * width) / rem))
  return (width - rowWidth) / rem - asks - BESIDE_HAND
}

/** The pictures of cards follow the width of the screen, the words the size of the type. */
function upright({ width, rem }: Screen, { places, hasHand }: Supply, isPhone: boolean): Frame {
  const side = (isPhone ? 0.35 : 0.5) * rem
  const rowCard = Math.min((width - 2 * side - (places - 1) * 6) / places, isPhone ? 76 : 104)
  const handCard = hasHand ? (isPhone ? 46 : 60) : 0
  const bottom = rowCard * LYING_CARD + handCard * 1.45 + (hasHand ? 3.4 : BUTTONS.docked) * rem + 14
  return { shape: 'upright', isRoomy: !isPhone, insets: { left: side, top: 3.9 * rem, right: side, bottom, above: ABOVE }, rowCard, handCard, rowWidth: width }
}

function lying(screen: Screen, { places, hasHand }: Supply, isTable: boolean): Frame {
  const { height, rem } = screen
  const rowCard = Math.min(4.1 * rem, columnCard(screen, places, 0.7))
  const handCard = Math.min(2.6 * rem, height * 0.13)
  const hand = Math.max(handCard * IN_HAND + 0.2 * rem, isTable ? LEAST_QUESTION * rem : 0)
  const insets = { left: 3.7 * rem, top: 0.25 * rem, right: rowCard + 0.85 * rem, bottom: hasHand ? hand : BUTTONS.told * rem }
  return { shape: 'lying', isRoomy: false, insets, rowCard, handCard, rowWidth: rowCard }
}

/** The width of cards that all fit below each other. */
function columnCard({ height, rem }: Screen, places: number, taken: number): number {
  return ((height - taken * rem) / places - GAP * rem) / LYING_CARD
}
