/** A game record as a file. The request carries the guest's key, which a plain link could not. */
import { get } from '../api/http'

export async function downloadRecord(table: string, game: string): Promise<void> {
  const record = await get<object>(`/api/tables/${table}/record`)
  saveAs(record, `branchline-${game}-${table.slice(0, 6)}.json`) // not the table's whole name, which is the invitation
}

export function saveAs(record: object, name: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address))
}
