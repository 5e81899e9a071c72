/** Game records in a file: one JSON object, or one per line. */

export interface GameRecord {
  game?: unknown
  seats?: { name?: unknown }[]
}

/** The records of a file; none if it contains anything else. */
export function recordsIn(text: string): GameRecord[] {
  const whole = parsed(text)
  const found = whole === undefined ? text.split('\n').filter((line) => line.trim() !== '').map(parsed) : [whole]
  return found.every(isRecord) ? found : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is GameRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
