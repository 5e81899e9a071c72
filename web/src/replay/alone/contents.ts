/** What a replay in a file of its own carries; written by `play/replays/page.py`. */
import type { GameFacts, Layout } from '../../api/types'
import type { Replay } from '../film'

export interface Contents {
  facts: GameFacts
  layout: Layout | null
  /** The pictures of the map by day and by night, as data addresses. */
  grounds: Record<string, string>
  /** By viewer: a seat's number, or '' with nothing hidden. */
  replays: Record<string, Replay>
  /** Through whose eyes it is seen first; null for everybody's. */
  seat: number | null
  record: object
  /** The language to begin with, if its maker chose one. */
  language: string | null
}

declare global {
  interface Window {
    branchlineReplay: Contents
  }
}
