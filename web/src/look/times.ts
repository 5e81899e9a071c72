/** Times as people would say them. */
import { language } from '../i18n/i18n.svelte'

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** `5 minutes ago`, from seconds since 1970. */
export function ago(at: number): string {
  const since = Math.max(0, Date.now() / 1000 - at)
  const words = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' })
  const [unit, seconds] = UNITS.find(([, length]) => since >= length) ?? ['second', 1]
  return unit === 'second' ? words.format(0, 'second') : words.format(-Math.floor(since / seconds), unit)
}

/** `17 Nov 2026`, from seconds since 1970. */
export function onDay(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(at * 1000)
}

/** `2 minutes`, `3 days`, `30 seconds`. */
export function lasting(seconds: number): string {
  const [unit, length] = UNITS.slice(3).find(([, one]) => seconds >= one) ?? ['second', 1]
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length)
}
