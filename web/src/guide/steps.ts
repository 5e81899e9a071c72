/** Which step of a guide is shown: the first one that is due and has not been seen. It stays until you close it, or until it is over and another is due. */
import { language } from '../i18n/i18n.svelte'
import { inLanguage } from '../i18n/languages'
import { rulebook } from '../pages/rules/rulebook'
import { isOwn } from '../state/games.svelte'

export interface Step {
  when: string
  title: string
  text: string
  rules: string[]
}

type Guides = Record<string, { steps: Step[] } | undefined>

const files = import.meta.glob<Guides>('$words/*/guides.json', { import: 'default' })

/** That of a board from outside comes with its rulebook. */
export async function guideOf(game: string): Promise<Step[]> {
  if (isOwn(game)) return (await rulebook(game)).guide ?? []
  const guides = await inLanguage(files, language(), 'guides.json')?.()
  return guides?.[game.replaceAll('-', '_')]?.steps ?? []
}

/** How a seen step is remembered: `GAME.3`. */
export function stepName(game: string, number: number): string {
  return `${game}.${number}`
}

/** The number of the step to show, or -1. */
export function stepNow(steps: Step[], isTrue: Set<string>, isSeen: (number: number) => boolean, shown: number): number {
  const stays = shown >= 0 && !isSeen(shown)
  if (stays && isTrue.has(steps[shown]!.when)) return shown
  const next = steps.findIndex((step, number) => number !== shown && isTrue.has(step.when) && !isSeen(number))
  return next === -1 && stays ? shown : next
}
