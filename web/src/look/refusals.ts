/** A refusal's code in words. */
import { say, t } from '../i18n/i18n.svelte'

export function refusalText(code: string): string {
  return say(`refused.${code}`) ?? t('refused.other', { code })
}
