/** Outlines of pieces, seen from above, around 0,0: 26 units long, 11 wide, the front at the right. */
export const OUTLINES = {
  wagon: 'M-10.8-5.5H10.8Q13-5.5 13-3.3V3.3Q13 5.5 10.8 5.5H-10.8Q-13 5.5-13 3.3V-3.3Q-13-5.5-10.8-5.5Z',
  locomotive: 'M-12.5-5.5H4.5Q11-5.5 13 0Q11 5.5 4.5 5.5H-12.5Q-13.3 5.5-13.3 4.5V-4.5Q-13.3-5.5-12.5-5.5Z',
  bus: 'M-10-5.7H10Q13.2-5.7 13.2-2.5V2.5Q13.2 5.7 10 5.7H-10Q-13 5.7-13 3.5V-3.5Q-13-5.7-10-5.7Z',
  taxi: 'M-9.5-5.4H8.5Q12.6-5.2 13-1.6V1.6Q12.6 5.2 8.500 5.4H-9.5Q-12.6 5.2-13 2.2V-2.2Q-12.6-5.2-9.5-5.4Z',
  ship: 'M-11.6-5.2H4.5Q10.6-4.8 13.6 0Q10.6 4.8 4.5 5.2H-11.6Q-13.4 2.6-13.4 0Q-13.4-2.6-11.6-5.2Z',
} as const

export type PieceKind = keyof typeof OUTLINES
export const PIECE_KINDS = Object.keys(OUTLINES) as PieceKind[]
