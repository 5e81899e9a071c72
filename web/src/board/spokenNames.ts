/** What screen readers say for routes and places: everything that the board shows of them. */
import type { CityFacts, Person, RouteFacts } from '../api/types'
import { listed, t } from '../i18n/i18n.svelte'
import { colourName } from '../look/cards'
import { nameOf } from '../look/people'
import type { Game } from '../state/games.svelte'

type People = Record<string, Person> | undefined

export function routeLabel(game: Game, route: RouteFacts, owner: number | undefined, legal: boolean, people: People): string {
  const parts = [
    game.routeName(route.id),
    t('board.spaces', { count: route.length }),
    colourName(route.colour),
    t('common.points', { count: route.points }),
    route.tunnel && t('board.tunnel'),
    route.ferry > 0 && t('board.ferry', { count: route.ferry, wild_kind: game.facts.words.wild }),
    route.sea && t('board.sea'),
    route.pair && t('board.pair'),
    owner === undefined ? t('board.free') : t('board.owned', { name: nameOf(people?.[owner], owner) }),
    legal && t('board.claimable'),
  ]
  return parts.filter(Boolean).join(', ')
}

export function cityLabel(game: Game, city: CityFacts, builders: number[] | undefined, legal: boolean, people: People): string {
  const names = builders?.map((seat) => nameOf(people?.[seat], seat))
  const parts = [
    game.place(city.id),
    city.district && t('board.district', { number: city.district }),
    city.port && t('board.port'),
    city.attraction && t('board.attraction'),
    names?.length && t(`board.${game.building ?? 'station'}_of`, { names: listed(names), count: names.length }),
    legal && t('board.buildable'),
  ]
  return parts.filter(Boolean).join(', ')
}
