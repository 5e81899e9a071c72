/** Asking again from time to time, while somebody looks at the page. */

/** Asks now, every so many milliseconds, and when the page is looked at again; the answer stops it. */
export function keepAsking(ask: () => Promise<void>, every: number): () => void {
  const whenSeen = (): void => {
    if (!document.hidden) void ask().catch(() => undefined) // the next try follows
  }
  whenSeen()
  const timer = setInterval(whenSeen, every)
  document.addEventListener('visibilitychange', whenSeen)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', whenSeen)
  }
}
