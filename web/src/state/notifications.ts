/** Notifications that it is your turn, while you are looking elsewhere. */

export function canNotify(): boolean {
  return 'Notification' in window
}

/** Asks for permission if necessary; only after a click, because browsers insist on it. */
export async function notifyMe(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}

/** Some phones allow notifications only for installed pages, and throw otherwise. */
export function tell(title: string, tag: string): void {
  if (!canNotify() || Notification.permission !== 'granted') return
  try {
    new Notification(title, { icon: '/icon.svg', tag })
  } catch {
    // the title of the page says it too
  }
}
