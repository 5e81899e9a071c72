/** The guest's secret: made here, kept by this browser, sent with every request. The server stores only its hash. */
const KEPT_AS = 'branchline.key'
let key: string | null = null

export function myKey(): string {
  key ??= kept() ?? newKey()
  return key
}

function kept(): string | null {
  try {
    const text = localStorage.getItem(KEPT_AS)
    return text !== null && /^[\w-]{22,86}$/.test(text) ? text : null
  } catch {
    return null // the browser stores nothing: the key lasts until the page is closed
  }
}

function newKey(): string {
  const made = randomText(24)
  try {
    localStorage.setItem(KEPT_AS, made)
  } catch {
    // as above
  }
  return kept() ?? made // another tab may have been quicker
}

/** Random bytes in base64url: letters, digits, - and _. */
export function randomText(bytes: number): string {
  const numbers = crypto.getRandomValues(new Uint8Array(bytes))
  return btoa(String.fromCharCode(...numbers)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
