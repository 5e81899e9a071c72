/**
 * What can be built in a city: its sign beside a seat, and how high and how large its drawing stands on the city's dot (`board/PieceDrawings.svelte`).
 * Messages and drawings choose by its name; a board's facts say how many of them a seat has, under `stations` or `harbours`.
 */
export const BUILDINGS = {
  station: { sign: '⌂', rise: 4, scale: 1.12 },
  harbour: { sign: '⚓', rise: 3, scale: 0.95 },
} as const

export type BuildingKind = keyof typeof BUILDINGS

export function isBuilding(kind: string): kind is BuildingKind {
  return kind in BUILDINGS
}

export const BUILDING_KINDS = Object.keys(BUILDINGS).filter(isBuilding)
