/** What a legend of the map can show. */
import type { BuildingKind } from '../look/buildings'
import type { Game } from '../state/games.svelte'

export type MapMarkKind = 'route' | 'double' | 'closed' | 'tunnel' | 'ferry' | 'sea' | 'pair' | 'train' | 'bus' | 'ship' | BuildingKind

/** The special marks that a game's map has. */
export function marksOf({ facts, building }: Game): MapMarkKind[] {
  const kinds: [MapMarkKind, boolean][] = [
    ['double', facts.routes.some((route) => route.double)],
    ['tunnel', facts.routes.some((route) => route.tunnel)],
    ['ferry', facts.routes.some((route) => route.ferry > 0)],
    ['sea', facts.routes.some((route) => route.sea)],
    ['pair', facts.routes.some((route) => route.pair)],
  ]
  const there = kinds.filter(([, isThere]) => isThere).map(([kind]) => kind)
  return building ? [...there, building] : there
}
