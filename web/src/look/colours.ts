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
  red: { fill: '#b3201a', outline: '#7e1917', ink: '#ffe9e4', glyph: 'M0-2.7 2.7 0 0 2.7-2.7 0Z' },
  orange: { fill: '#ee8a1b', outline: '#9a5208', ink: '#4a2503', glyph: 'M-2.3 0a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0Z' },
  yellow: { fill: '#fde34a', outline: '#8a7000', ink: '#5c4a00', glyph: 'M0-2.6 2.7 2.2H-2.7Z' },
  green: { fill: '#4fb471', outline: '#245a28', ink: '#0c3013', glyph: 'M-.8-2.6H.8V-.8H2.6V.8H.8V2.6H-.8V.8H-2.6V-.8H-.8Z' },
  blue: { fill: '#1f57c2', outline: '#153f70', ink: '#e8f0ff', glyph: 'M-2.6-1.9H2.6V-.6H-2.6ZM-2.6.6H2.6V1.9H-2.6Z' },
  pink: { fill: '#ec9be6', outline: '#94527a', ink: '#5b1c4c', glyph: 'M-1.9 0a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0Z', stroked: true },
  black: { fill: '#26242b', outline: '#0b0c0e', ink: '#f1eee4', glyph: 'M-2.1-2.1H2.1V2.1H-2.1Z' },
  white: { fill: '#fbfcf8', outline: '#7c7a70', ink: '#4c4a40', glyph: 'M-2.4-1.3 0 1.3 2.4-1.3', stroked: true },
  gray: { fill: '#868a92', outline: '#4a4e55', ink: '#ffffff', glyph: '' },
  wild: { fill: '#f4ecdb', outline: '#3a4a55', ink: '#2b3440', glyph: '' },
}

export function lookOf(colour: string | null | undefined): Look {
  return COLOURS[colour ?? 'wild'] ?? COLOURS.gray!
}

/** A seat's colour, mark and pattern; the colours differ from those of the cards. */
export interface SeatLook {
  fill: string
  ink: string
  outline: string
  /** Path of the mark around 0,0, about 6 units high. */
  mark: string
  /** Lines of the pattern on its trains. */
  pattern: 'plain' | 'stripes' | 'dots' | 'cross' | 'waves'
}

export const SEATS: SeatLook[] = [
  { fill: '#0b7a86', ink: '#ffffff', outline: '#053d44', mark: 'M-2.9 0a2.9 2.9 0 1 0 5.8 0a2.9 2.9 0 1 0-5.8 0Z', pattern: 'plain' },
  { fill: '#c8500f', ink: '#ffffff', outline: '#642504', mark: 'M0-3.2 3.2 2.6H-3.2Z', pattern: 'stripes' },
  { fill: '#6a3fb4', ink: '#ffffff', outline: '#331a5e', mark: 'M-2.7-2.7H2.7V2.7H-2.7Z', pattern: 'dots' },
  { fill: '#5d6b12', ink: '#ffffff', outline: '#2c3306', mark: 'M0-3.5 3.5 0 0 3.5-3.5 0Z', pattern: 'cross' },
  {
    fill: '#a3195b',
    ink: '#ffffff',
    outline: '#4f0a2b',
    mark: 'M0-3.5 1-1.1 3.5-.9 1.6.7 2.2 3.2 0 1.8-2.2 3.2-1.6.7-3.5-.9-1-1.1Z',
    pattern: 'waves',
  },
]

export function seatLook(seat: number): SeatLook {
  return SEATS[seat % SEATS.length]!
}
