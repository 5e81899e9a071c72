/** Colours of cards and seats. No colour stands alone: each card colour has a glyph, each seat a mark. */

export interface Look {
  fill: string
  outline: string
  /** Colour of what is drawn on the fill. */
  ink: string
  /** A path around 0,0, about 5 units high; drawn as a stroke if `stroked`. */
  glyph: string
  stroked?: boolean
}

export const COLOURS: Record<string, Look> = {
  red: { fill: '#c2281f', outline: '#741410', ink: '#ffe1da', glyph: 'M0-2.5 2.5 0 0 2.5-2.5 0Z' },
  orange: { fill: '#ee8a1b', outline: '#8d4a06', ink: '#4a2503', glyph: 'M-2.1 0a2.1 2.1 0 1 0 4.2 0a2.1 2.1 0 1 0-4.2 0Z' },
  yellow: { fill: '#f7d93c', outline: '#8a7000', ink: '#5c4a00', glyph: 'M0-2.4 2.5 2H-2.5Z' },
  green: { fill: '#4aa868', outline: '#1d5427', ink: '#08290f', glyph: 'M-.8-2.5H.8V-.8H2.5V.8H.8V2.5H-.8V.8H-2.5V-.8H-.8Z' },
  blue: { fill: '#2a61c8', outline: '#123766', ink: '#e8f0ff', glyph: 'M-2.5-1.8H2.5V-.6H-2.5ZM-2.5.6H2.5V1.8H-2.5Z' },
  pink: { fill: '#e894df', outline: '#8a4877', ink: '#5b1c4c', glyph: 'M-1.8 0a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0Z', stroked: true },
  black: { fill: '#2d2a32', outline: '#0b0c0e', ink: '#f1eee4', glyph: 'M-1.9-1.9H1.9V1.9H-1.9Z' },
  white: { fill: '#fbfaf3', outline: '#77746a', ink: '#4c4a40', glyph: 'M-2.3-1.2 0 1.2 2.3-1.2', stroked: true },
  gray: { fill: '#a9a79f', outline: '#5c5b57', ink: '#2b2a27', glyph: '' },
  wild: { fill: '#f6efdf', outline: '#3a4a55', ink: '#2b3440', glyph: '' },
}

export function lookOf(colour: string | null | undefined): Look {
  return COLOURS[colour ?? 'wild'] ?? COLOURS.gray!
}

/** A seat's colours, mark and pattern; the colours differ from those of the cards. */
export interface SeatLook {
  fill: string
  /** What is drawn on the fill. */
  ink: string
  /** The dark tone: walls, outlines. */
  outline: string
  /** The light tone: halos, cabins. */
  light: string
  /** Path of the mark around 0,0, about 6 units high. */
  mark: string
  /** Path of the pattern left and right of the mark on the roof of a piece. */
  pattern: string
  /** Width of the pattern's lines. */
  thick?: number
}

export const SEATS: SeatLook[] = [
  {
    fill: '#0d8f9c',
    ink: '#fffdf2',
    outline: '#04474f',
    light: '#4fc6cf',
    mark: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z',
    pattern: 'M-9.8-2.2h4.2M-9.8 1.3h4.2M5.6-2.2h4.2M5.6 1.3h4.2',
  },
  {
    fill: '#e2531b',
    ink: '#fffdf2',
    outline: '#7a2405',
    light: '#ff9a66',
    mark: 'M0-3.4 3.3 2.6H-3.3Z',
    pattern: 'M-9.6 2.6-7.2-3.4M-7.2 2.6-5-3.4M5 2.6 7.2-3.4M7.2 2.6 9.6-3.4',
  },
  {
    fill: '#5f38b0',
    ink: '#fffdf2',
    outline: '#2a1259',
    light: '#9d7ce6',
    mark: 'M-2.7-2.7H2.7V2.7H-2.7Z',
    pattern: 'M-8.6-.4h.01M-5.6-.4h.01M5.6-.4h.01M8.6-.4h.01',
    thick: 2.3,
  },
  {
    fill: '#b4cb24',
    ink: '#262d00',
    outline: '#4f5c06',
    light: '#e3f27a',
    mark: 'M0-3.6 3.4 0 0 3.6-3.4 0Z',
    pattern: 'M-9.2-2.6-5.6 1.8M-9.2 1.8-5.6-2.6M5.6-2.6 9.2 1.8M5.6 1.8 9.2-2.6',
  },
  {
    fill: '#c4175f',
    ink: '#fffdf2',
    outline: '#5c0429',
    light: '#f76ba3',
    mark: 'M0-3.7 1.1-1.2 3.7-1 1.7.7 2.4 3.4 0 1.9-2.4 3.4-1.7.7-3.7-1-1.1-1.2Z',
    pattern: 'M-9.8.3q1-2.6 2 0t2 0M5.8.3q1-2.6 2 0t2 0',
  },
]

export function seatLook(seat: number): SeatLook {
  return SEATS[seat % SEATS.length]!
}
