/**
 * The service worker: keeps the page's own files, so that it opens without a network and can say that it is offline. Addresses of the page are asked of the server
 * first, so a new version arrives with the next load. Nothing else is kept: no answer of the API, and no address of a table.
 */
export {}

/** Written by `shell.ts`: the files to keep, and a name that changes with them. */
declare const SHELL: { version: string; files: string[] }

/** What we use of a worker's surroundings: the types of pages do not have it. */
interface Lasting extends Event {
  waitUntil(work: Promise<void>): void
}
interface Fetching extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
declare const self: {
  readonly location: Location
  readonly clients: { claim(): Promise<void>; matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<unknown[]> }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', listener: (event: Lasting) => void): void
  addEventListener(name: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(name: 'message', listener: (event: MessageEvent & Lasting) => void): void
}

const CACHE = `branchline-${SHELL.version}`
const PAGE = '/'
const NOT_PAGES = /^\/(api|ladder)(\/|$)/ // of the server's addresses
const [TRIES, TRY_AGAIN] = [10, 500] // to take over; milliseconds between them
const PATIENCE = 4_000 // milliseconds to wait for the server before the kept page is shown

self.addEventListener('install', (event) => event.waitUntil(keep()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== self.location.origin) return
  if (event.request.mode === 'navigate' && !NOT_PAGES.test(pathname)) event.respondWith(page(event.request))
  else if (pathname.startsWith('/assets/') || SHELL.files.includes(pathname)) event.respondWith(file(event.request))
})
self.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(takeOverAlone())
})

async function keep(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.add(new Request(PAGE, { cache: 'reload' }))
  await cache.addAll(SHELL.files)
}

/** Not while a game is open elsewhere: it may still need files of its own version. A page that is just being left does not count. */
async function takeOverAlone(): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    if (pages.length <= 1) return self.skipWaiting()
    await new Promise((done) => setTimeout(done, TRY_AGAIN))
  }
}

async function takeOver(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('branchline-') && name !== CACHE)
  await Promise.all(others.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** All addresses of the page are the same document. It is kept under one name: a table's address is an invitation. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match(PAGE, { ignoreVary: true })
  if (!kept) return fetch(request)
  const asked = fetch(request).then((response) => (response.status >= 500 ? kept : response))
  const late = new Promise<Response>((done) => setTimeout(() => done(kept), PATIENCE))
  return Promise.race([asked.catch(() => kept), late])
}

/** Names of assets change with their contents, so what is kept is never out of date. */
async function file(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true }) // scripts are asked for with an origin, this worker asks without
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok && new URL(request.url).pathname.startsWith('/assets/')) await (await caches.open(CACHE)).put(request, response.clone())
  return response
}
