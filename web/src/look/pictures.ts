/** Silhouettes in a box of 40 × 24, wheels or water line at the bottom. */
export const PICTURES = {
  wagon: 'M3 5h34v12H3zM6 8h6v4H6zM17 8h6v4h-6zM28 8h6v4h-6zM7 17a3 3 0 1 0 6 0zM27 17a3 3 0 1 0 6 0z',
  locomotive: 'M4 4h11v5h13V5h4v4h3v8h3v2H3v-2h1zM7 6v4h5V6zM6 19a2.6 2.6 0 1 0 5.2 0zM14 19a2.6 2.6 0 1 0 5.2 0zM25 19a3.2 3.2 0 1 0 6.4 0z',
  ship: 'M4 14h32l-5 7H9zM11 9h17v4H11zM14 4h4v4h-4zM21 4h4v4h-4z',
  ships: 'M1 16h22l-3.5 6H4.5zM6 12h12v3H6zM9 8h3.5v3H9zM17 9h22l-3.5 6H24l1-2h-6zM22 5h12v3H22zM26 1h3.5v3H26z',
  bus: 'M6 3h27a2 2 0 0 1 2 2v13H5V4a1 1 0 0 1 1-1zM8 5.5v4h6v-4zM17 5.5v4h6v-4zM26 5.5v4h6v-4zM8 12v3.5h6V12zM17 12v3.5h6V12zM26 12v3.5h6V12zM8 18a2.8 2.8 0 1 0 5.6 0zM26 18a2.8 2.8 0 1 0 5.6 0z',
  taxi: 'M17 3h6v2h3l5 6 4 1.500q2 .8 2 3V18H3v-3.500q0-2.500 3-3L10 11l4-6h3zM15 6.500 12.200 11H19V6.500zM21 6.500V11h7l-3.700-4.500zM7.500 18a3 3 0 1 0 6 0zM26.500 18a3 3 0 1 0 6 0z',
  anchor: 'M20 3a3 3 0 0 1 1.4 5.6V10H25v2h-3.6v7.2c3-.5 5.2-2.2 5.8-4.6l-2 .4 3-4 2.6 4.2-1.8-.4C28.2 19 24.6 22 20 22S11.8 19 11 14.800l-1.8.4L11.8 11l3 4-2-.4c.6 2.4 2.8 4.1 5.8 4.600V12H15v-2h3.600V8.600A3 3 0 0 1 20 3z',
} as const

export type Picture = keyof typeof PICTURES
