/** Hands a picture of the finished game to the device's own sharing if there is one for pictures; otherwise it is downloaded. */
import type { Game } from '../state/games.svelte'
import type { Table } from '../state/table.svelte'
import { pictureOf } from './picture'

export async function sharePicture(table: Table, game: Game): Promise<void> {
  const picture = await pictureOf(table, game)
  const file = new File([picture], `branchline-${table.state!.game}.png`, { type: 'image/png' })
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => undefined) // closed without sharing
    return
  }
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address))
}
