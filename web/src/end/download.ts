/** A game record as a file. The request carries the guest's key, which a plain link could not. */
import { get } from '../api/http'

export async function downloadRecord(table: string, game: string): Promise<void> {
  const record = await get<object>(`/api/tables/${table}/record`)
  const address = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  // not the table's whole name, which is the invitation
  link.download = `branchline-${game}-${table.slice(0, 6)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address))
}
