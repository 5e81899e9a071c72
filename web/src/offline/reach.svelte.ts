/** Can the server be reached? Requests say when not; then the page asks again by itself until there is an answer. */

const ASK_EVERY = 1_500 // milliseconds
const ANSWERED_WITHIN = 4_000

class Reach {
  isOffline = $state(false)
}

const reach = new Reach()
const returns = new Set<() => void>()
let timer = 0

export function isOffline(): boolean {
  return reach.isOffline
}

/** Calls back when the server can be reached again, until you call the function it returns. */
export function onReturn(listener: () => void): () => void {
  returns.add(listener)
  return () => returns.delete(listener)
}

/** Something was asked, and no answer came. */
export function unreached(): void {
  if (reach.isOffline) return
  reach.isOffline = true
  timer = window.setTimeout(askAgain, ASK_EVERY)
}

export function reached(): void {
  if (!reach.isOffline) return
  clearTimeout(timer)
  reach.isOffline = false
  for (const listener of returns) listener()
}

/** Any answer will do, also that of a server which is still preparing. */
async function askAgain(): Promise<void> {
  clearTimeout(timer)
  try {
    const answer = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWERED_WITHIN) })
    if (answer.status < 500) return reached()
  } catch {
    // still offline
  }
  if (reach.isOffline) timer = window.setTimeout(askAgain, ASK_EVERY)
}

if (typeof window !== 'undefined') {
  addEventListener('offline', () => {
    unreached()
    void askAgain() // a server on the same machine is there without a network, too
  })
  addEventListener('online', () => void (reach.isOffline && askAgain()))
}
