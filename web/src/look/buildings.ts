/** What can be built in a city: its sign beside a seat, and its drawing around 0,0 on the board. Messages choose by its name. */
interface Look {
  sign: string
  outline: string
  /** Lines on it. */
  detail: string
  /** How far below the middle the seat's mark is. */
  markAt: number
}

export const BUILDINGS = {
  station: { sign: '⌂', outline: 'M0-10.5 8.2-4.2V7.2H-8.2V-4.2Z', detail: 'M-6.4-3.6 0-8.5 6.4-3.6', markAt: 1.6 },
  harbour: {
    sign: '⚓',
    outline: 'M-3.4-10H3.4V-6H8.2V4.5Q8.2 7.2 5.5 7.2H-5.5Q-8.2 7.2-8.2 4.5V-6H-3.4Z',
    detail: 'M-6.4 5q1.6-1.8 3.2 0t3.2 0 3.2 0 3.2 0',
    markAt: -1,
  },
} satisfies Record<string, Look>

export type BuildingKind = keyof typeof BUILDINGS
