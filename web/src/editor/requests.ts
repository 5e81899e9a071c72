/** What the editor asks of the server. The code of the editor comes with the link, after #, and goes along with every request. */
import { myKey } from '../api/key'
import { Refused } from '../api/http'
import type { Refusal } from '../api/types'

const KEPT_AS = 'branchline.editor_code'

export function takeCode(code: string): void {
  try {
    sessionStorage.setItem(KEPT_AS, code)
  } catch {
    // kept in the address until the page is closed
  }
}

function code(): string {
  return location.pathname === '/edit' && location.hash.length > 1 ? location.hash.slice(1) : (sessionStorage.getItem(KEPT_AS) ?? '')
}

/** An answer of the server, or a `Refused` with its code. */
export async function send(method: string, path = '', body?: BodyInit, type = 'application/json'): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${myKey()}`, 'x-editor-code': code() }
  if (body !== undefined) headers['content-type'] = type
  const response = await fetch(`/api/editor${path}`, { method, headers, body }).catch(() => {
    throw new Refused('offline', '', 0)
  })
  if (response.ok) return response
  const refusal = (await response.json().catch(() => ({ code: 'failed', message: '' }))) as Refusal
  throw new Refused(refusal.code, refusal.message, response.status)
}

export async function ask<T>(method: string, path = '', body?: BodyInit, type?: string): Promise<T> {
  return (await (await send(method, path, body, type)).json()) as T
}

/** A picture as the page may show it: it comes with the code, which an address could not carry. */
export async function pictureAddress(): Promise<string> {
  const blob = await (await send('GET', '/picture')).blob()
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.readAsDataURL(blob)
  })
}
