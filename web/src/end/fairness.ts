/** What this browser can check about the shuffle of a finished game. */
import type { TableState } from '../api/types'
import { t } from '../i18n/i18n.svelte'
import { nameOf } from '../look/people'
import { dealingSeed, fingerprint, hasPromised, keptFor, seenIn } from '../state/chance'

export interface Finding {
  /** Null: there is nothing to compare with. */
  isGood: boolean | null
  words: string
}

export function findings(state: TableState): Finding[] {
  if (!state.chance) return ofSeedAlone(state)
  const wrong = problems(state)
  return [...(wrong.length > 0 ? wrong.map((words) => ({ isGood: false, words })) : [{ isGood: true, words: t('chance.checked') }]), ...ofOwnNumber(state)]
}

/** Where nobody gave a number. A server that asked for them cannot simply leave them out in the end. */
function ofSeedAlone(state: TableState): Finding[] {
  if (hasPromised(state.table)) return [{ isGood: false, words: t('chance.not_used') }]
  return [checked(fingerprint(state.seed ?? '') === state.commitment, t('end.fair_checked'), t('end.fair_wrong'))]
}

function checked(isGood: boolean, good: string, bad: string): Finding {
  return { isGood, words: isGood ? good : bad }
}

function problems(state: TableState): string[] {
  const { commitments = {}, numbers = {}, secret = '' } = state.chance ?? {}
  const found = fingerprint(secret ?? '') === state.commitment ? [] : [t('chance.wrong_secret')]
  for (const [seat, number] of Object.entries(numbers ?? {})) {
    if (fingerprint(number) !== commitments[seat]) found.push(t('chance.wrong_number', { name: nameOf(state.seats[seat], Number(seat)) }))
  }
  return dealingSeed(state) === state.seed ? found : [...found, t('chance.wrong_seed')]
}

/** Compared with what this browser remembers, which no server can change. */
function ofOwnNumber(state: TableState): Finding[] {
  if (state.you === undefined || state.you === null) return []
  const kept = keptFor(state.chance?.commitments[state.you])
  if (!kept) return [{ isGood: null, words: t('chance.unknown') }]
  const isUsed = state.chance?.numbers?.[state.you] === kept.number
  const found = isUsed || kept.taken ? [checked(isUsed, t('chance.used'), t('chance.not_used'))] : [{ isGood: null, words: t('chance.too_late') }]
  if (!kept.seen) return found
  return [...found, checked(JSON.stringify(kept.seen) === JSON.stringify(seenIn(state)), t('chance.as_before'), t('chance.wrong_before'))]
}
