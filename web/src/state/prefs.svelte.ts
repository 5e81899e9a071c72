/** A person's preferences, stored by this browser. */
import { browsersLanguage, speak } from '../i18n/i18n.svelte'

const KEPT_AS = 'branchline.prefs'

interface Kept {
  name: string
  language: string | null
  theme: 'auto' | 'light' | 'dark'
  motion: 'auto' | 'on' | 'off'
  confirm: boolean // a second click makes a choice on the board final
  notify: boolean
  last: { game: string; seats: number; level: string } | null // the game opened last against bots
  pace: number // seconds per move of a bot, in new games
  volume: number // of sounds, from 0 to 1
  touch: boolean // phones vibrate
  guides: boolean // show the guides
  seen: string[] // guides that were finished or closed
}

const FIRST: Kept = { name: '', language: null, theme: 'auto', motion: 'auto', confirm: true, notify: false, last: null, pace: 1.2, volume: 0.5, touch: true, guides: true, seen: [] }

function load(): Kept {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Partial<Kept>) }
  } catch {
    return FIRST
  }
}

export const prefs: Kept = $state(load())

const dark = matchMedia('(prefers-color-scheme: dark)')
const still = matchMedia('(prefers-reduced-motion: reduce)')

export function setPrefs(change: Partial<Kept>): void {
  Object.assign(prefs, change)
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(prefs))
  } catch {
    // kept until the page is closed
  }
  show()
}

export async function chooseLanguage(language: string): Promise<void> {
  await speak(language)
  setPrefs({ language })
}

/** Are animations on? */
export function moves(): boolean {
  return prefs.motion === 'on' || (prefs.motion === 'auto' && !still.matches)
}

function show(): void {
  const root = document.documentElement
  root.dataset.theme = prefs.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : prefs.theme
  root.dataset.motion = moves() ? 'on' : 'off'
}

/** Before anything is shown. `suggested`: a language for those who have not chosen one. */
export async function applyPrefs(suggested?: string): Promise<void> {
  dark.addEventListener('change', show)
  still.addEventListener('change', show)
  show()
  await speak(prefs.language ?? suggested ?? browsersLanguage())
}
