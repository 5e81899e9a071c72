/** Counts that this browser window has shown to the end: on coming back you see the result at once. */
const KEPT_AS = 'branchline.counted'

function kept(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '[]') as string[]
  } catch {
    return []
  }
}

export function wasSeen(table: string): boolean {
  return kept().includes(table)
}

export function rememberSeen(table: string): void {
  if (wasSeen(table)) return
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify([...kept(), table]))
  } catch {
    // then the count is shown again
  }
}
