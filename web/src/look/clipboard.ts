/** Copies a text, even where the browser's clipboard is not available (an address without TLS). */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copiedBySelection(text)
  }
}

function copiedBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'spoken'
  document.body.append(field)
  field.select()
  const worked = document.execCommand('copy')
  field.remove()
  return worked
}
