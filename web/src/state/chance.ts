/**
 * The player's own chance in the shuffle: a random number, promised by its SHA-256 on sitting down, shown when the table asks for it. It is kept in
 * this browser, so that it survives a reload and can be looked for at the end. (`crypto.subtle` is missing at a home network's plain http.)
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { TableState } from '../api/types'

const KEPT_AS = 'branchline.numbers'
const MOST_KEPT = 100
const NUMBER_BYTES = 16

/** What was promised, and by whom, when this browser showed its number. */
export interface Seen {
  commitment: string
  seats: string[]
}

export interface Kept {
  number: string
  commitment: string
  /** Where it was promised. */
  table?: string
  seen?: Seen
  /** The server has acknowledged it. */
  taken?: boolean
}

let known: Kept[] = [] // until the page is closed, if the browser stores nothing

/** Makes a number and keeps it; the server gets only the commitment to it. */
export function promiseNumber(): string {
  const number = bytesToHex(crypto.getRandomValues(new Uint8Array(NUMBER_BYTES)))
  const commitment = fingerprint(number)
  keep({ number, commitment })
  return commitment
}

export function keptFor(commitment: string | undefined): Kept | undefined {
  return all().find((one) => one.commitment === commitment)
}

/** Has this browser promised a number at the table? */
export function hasPromised(table: string): boolean {
  return all().some((one) => one.table === table)
}

export function keep(kept: Kept): void {
  known = [...all().filter(({ commitment }) => commitment !== kept.commitment), kept].slice(-MOST_KEPT)
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(known))
  } catch {
    // as above
  }
}

function all(): Kept[] {
  try {
    const text = localStorage.getItem(KEPT_AS)
    return text === null ? known : (JSON.parse(text) as Kept[])
  } catch {
    return known
  }
}

export function fingerprint(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

export function seenIn(state: TableState): Seen {
  return { commitment: state.commitment, seats: seatsOf(state).map((seat) => `${state.chance?.commitments[seat] ?? '-'} ${lineOf(state, seat)}`) }
}

/** The seed of the secret, the numbers and the names, as docs/fairness.md says; `dealing_seed` in Python. */
export function dealingSeed(state: TableState): string {
  const lines = seatsOf(state).map((seat) => `${state.chance?.numbers?.[seat] ?? '-'} ${lineOf(state, seat)}`)
  return fingerprint(['branchline/chance/1', state.chance?.secret ?? '', ...lines].map((line) => `${line}\n`).join('')).slice(0, 2 * NUMBER_BYTES)
}

function seatsOf(state: TableState): string[] {
  return Object.keys(state.seats).sort()
}

function lineOf(state: TableState, seat: string): string {
  return `${state.seats[seat]?.player} ${state.seats[seat]?.name ?? '?'}`
}
