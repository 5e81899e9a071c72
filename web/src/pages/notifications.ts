/** May the page tell people, while they look elsewhere, that it is their turn? */

export function canNotify(): boolean {
  return 'Notification' in window
}

/** Asks, if need be; only after a click, as browsers want it. */
export async function notifyMe(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}
