/** What a legend of the map can show. */
import type { Game } from '../state/games.svelte'

export type MapMarkKind = 'route' | 'double' | 'closed' | 'tunnel' | 'ferry' | 'sea' | 'pair' | 'train' | 'bus' | 'ship' | 'station' | 'harbour'

/** The special marks that a game's map has. */
export function marksOf({ facts, building }: Game): MapMarkKind[] {
  const kinds: [MapMarkKind, boolean][] = [
    ['double', facts.routes.some((route) => route.double)],
    ['tunnel', facts.routes.some((route) => route.tunnel)],
    ['ferry', facts.routes.some((route) => route.ferry > 0)],
    ['sea', facts.routes.some((route) => route.sea)],
    ['pair', facts.routes.some((route) => route.pair)],
    ['station', building === 'station'],
    ['harbour', building === 'harbour'],
  ]
  return kinds.filter(([, isThere]) => isThere).map(([kind]) => kind)
}
