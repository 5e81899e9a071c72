/** Asks the server again from time to time, while somebody is looking at the page. */

import { onReturn } from '../../offline/reach.svelte'

/** Asks now, at this interval in milliseconds, and whenever the page becomes visible again, until you call the function it returns. */
export function keepAsking(ask: () => Promise<void>, every: number): () => void {
  const whenSeen = (): void => {
    if (!document.hidden) void ask().catch(() => undefined) // it will ask again soon
  }
  whenSeen()
  const timer = setInterval(whenSeen, every)
  document.addEventListener('visibilitychange', whenSeen)
  const forget = onReturn(whenSeen)
  return () => {
    forget()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', whenSeen)
  }
}
