/** Which page is shown: `/`, `/edit`, `/t/TABLE`, `/replay/TABLE?seat=0&at=57`, `/replay`, `/rules/GAME#EU-12`. */

export interface Address {
  page: 'start' | 'table' | 'edit' | 'replay' | 'rules' | 'unknown'
  /** The table, or the game of a rules page. */
  what: string
  query: URLSearchParams
  anchor: string
}

const PAGES: Record<string, Address['page']> = { '': 'start', t: 'table', edit: 'edit', replay: 'replay', rules: 'rules' }

function read(): Address {
  const [, first = '', what = '', more] = location.pathname.split('/')
  const page = (more === undefined && PAGES[first]) || 'unknown'
  return { page, what, query: new URLSearchParams(location.search), anchor: location.hash.slice(1) }
}

class Current {
  address = $state.raw<Address>(read())
}

const current = new Current()

addEventListener('popstate', () => {
  current.address = read()
})

export function address(): Address {
  return current.address
}

export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  const before = current.address
  current.address = read()
  if (before.page !== current.address.page || before.what !== current.address.what) scrollTo(0, 0)
}

/** For links inside the page: `<a href="/replay" onclick={follow}>`. A click with a modifier key works as usual. */
export function follow(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  go(event.currentTarget.pathname + event.currentTarget.search + event.currentTarget.hash)
}
