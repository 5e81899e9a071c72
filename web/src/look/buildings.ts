/** What can be built in a city, and its sign beside a seat. Messages and the board's drawings choose by its name. */
export const BUILDINGS = {
  station: { sign: '⌂' },
  harbour: { sign: '⚓' },
} as const

export type BuildingKind = keyof typeof BUILDINGS
