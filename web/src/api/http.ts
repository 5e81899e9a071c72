/** Requests to the server. A refusal becomes a `Refused` error with the server's stable code; the catalogues have a message for each. */
import { reached, unreached } from '../offline/reach.svelte'
import { myKey } from './key'
import type { Refusal } from './types'

export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

const AGAIN = 700 // milliseconds between tries while the server loads its rules or is too busy
const LONGEST_WAIT: Record<string, number> = { preparing: 180_000, busy: 15_000, newer_version: 15_000 }

/** `within`: milliseconds after which to give up. */
export function get<T>(path: string, within?: number): Promise<T> {
  return ask<T>('GET', path, undefined, within)
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return ask<T>('POST', path, body)
}

/** A server that has just started answers `preparing` for a moment, and one with too much to do `busy`; visitors should not notice. */
async function ask<T>(method: string, path: string, body?: unknown, within?: number): Promise<T> {
  const began = Date.now()
  for (;;) {
    try {
      return await askOnce<T>(method, path, body, within)
    } catch (error) {
      const patience = error instanceof Refused ? (LONGEST_WAIT[error.code] ?? 0) : 0
      if (Date.now() - began >= patience) throw error
      await new Promise((wake) => setTimeout(wake, AGAIN * (0.5 + Math.random())))
    }
  }
}

async function askOnce<T>(method: string, path: string, body?: unknown, within?: number): Promise<T> {
  const headers: Record<string, string> = { authorization: `Bearer ${myKey()}` }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const signal = within === undefined ? undefined : AbortSignal.timeout(within)
  const response = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) }).catch(() => {
    unreached()
    throw new Refused('offline', '', 0)
  })
  reached()
  if (response.ok) return (await response.json()) as T
  const refusal = (await response.json().catch(() => ({ code: 'failed', message: '' }))) as Refusal
  throw new Refused(refusal.code, refusal.message, response.status)
}
