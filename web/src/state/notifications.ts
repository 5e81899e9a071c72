/** May the page tell people, while they look elsewhere, that it is their turn? */

export function canNotify(): boolean {
  return 'Notification' in window
}

/** Asks, if need be; only after a click, as browsers want it. */
export async function notifyMe(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}

/** Some phones have notifications only for installed pages, and throw. */
export function tell(title: string, tag: string): void {
  if (!canNotify() || Notification.permission !== 'granted') return
  try {
    new Notification(title, { icon: '/icon.svg', tag })
  } catch {
    // the title of the page says it too
  }
}
