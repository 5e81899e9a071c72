/** Registers the service worker. One that waits takes over when a page is loaded, not in the middle of a game. */

export async function install(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    const { waiting } = await navigator.serviceWorker.register('/sw.js')
    waiting?.postMessage('take over')
  } catch {
    // private windows refuse it: the page works without
  }
}
