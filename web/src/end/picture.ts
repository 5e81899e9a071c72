/**
 * A picture of the final board with the result, drawn on a canvas in the browser: the map, the board's own drawing, its names, and who won. A game without a board
 * shows the result alone.
 */
import { t } from '../i18n/i18n.svelte'
import { seatLook } from '../look/colours'
import { nameOf } from '../look/people'
import { gameName, type Game } from '../state/games.svelte'
import type { Table } from '../state/table.svelte'
import { drawBoard } from './boardPicture'
import { number } from './count'

const SCALE = 2
const CAPTION = 64 // pixels below the board
const EDGE = 18
const ALONE = { width: 900, line: 84, above: 120 } // of a result without a board

/** A seat with its total. */
interface Scored {
  seat: number
  name: string
  total: number
}

export async function pictureOf(table: Table, game: Game): Promise<Blob> {
  const board = document.querySelector<HTMLElement>('main.board')!
  const scores = scoresOf(table)
  const canvas = game.layout ? await withBoard(board, game, scores) : alone(game, scores)
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'))
}

async function withBoard(board: HTMLElement, game: Game, scores: Scored[]): Promise<HTMLCanvasElement> {
  const { width, height } = board.getBoundingClientRect()
  const [canvas, pen] = sheetOf(width, height + CAPTION)
  await drawBoard(pen, board, SCALE)
  pen.fillStyle = colour('--panel')
  pen.fillRect(0, height, width, CAPTION)
  caption(pen, game, scores, width, height + CAPTION / 2)
  return canvas
}

/** The game's name, and every seat with its points, from first to last; smaller if there is not enough room. */
function caption(pen: CanvasRenderingContext2D, game: Game, scores: Scored[], width: number, middle: number): void {
  const title = `${t('common.branchline')} · ${gameName(game.facts.game)}`
  const draw = (size: number, isMeasured: boolean): number => {
    let x = EDGE + write(pen, title, EDGE, middle, `800 ${1.2 * size}px`, isMeasured)
    for (const { seat, name, total } of scores) {
      x += 1.4 * size
      if (!isMeasured) mark(pen, seat, x + 0.7 * size, middle, 0.7 * size)
      x += 1.8 * size
      x += write(pen, name, x, middle, `500 ${size}px`, isMeasured) + 0.4 * size
      x += write(pen, number(total), x, middle, `800 ${size}px`, isMeasured)
    }
    return x + EDGE
  }
  const size = Math.min(18, (18 * width) / draw(18, true))
  draw(size, false)
}

function alone(game: Game, scores: Scored[]): HTMLCanvasElement {
  const { width, line, above } = ALONE
  const [canvas, pen] = sheetOf(width, above + scores.length * line + 2 * EDGE)
  pen.fillStyle = colour('--panel')
  pen.fillRect(0, 0, width, canvas.height)
  write(pen, `${t('common.branchline')} · ${gameName(game.facts.game)}`, 3 * EDGE, above / 2, '800 34px')
  scores.forEach(({ seat, name, total }, place) => {
    const middle = above + (place + 0.5) * line
    if (place === 0 || total === scores[0]!.total) {
      pen.fillStyle = colour('--good-soft')
      pen.fillRect(1.5 * EDGE, middle - line / 2 + 4, width - 3 * EDGE, line - 8)
    }
    mark(pen, seat, 4.5 * EDGE, middle, 22)
    write(pen, name, 7 * EDGE, middle, '500 28px')
    pen.textAlign = 'right'
    write(pen, number(total), width - 3 * EDGE, middle, '800 34px')
    pen.textAlign = 'left'
  })
  return canvas
}

function sheetOf(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  const pen = canvas.getContext('2d')!
  pen.scale(SCALE, SCALE)
  return [canvas, pen]
}

/** Returns the width of the words. */
function write(pen: CanvasRenderingContext2D, words: string, x: number, middle: number, font: string, isMeasured = false): number {
  pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`
  pen.textBaseline = 'middle'
  pen.fillStyle = colour('--ink')
  if (!isMeasured) pen.fillText(words, x, middle)
  return pen.measureText(words).width
}

function mark(pen: CanvasRenderingContext2D, seat: number, x: number, y: number, radius: number): void {
  const look = seatLook(seat)
  pen.save()
  pen.translate(x, y)
  pen.scale(radius / 5.6, radius / 5.6)
  pen.fillStyle = look.fill
  pen.beginPath()
  pen.arc(0, 0, 5.6, 0, 2 * Math.PI)
  pen.fill()
  pen.fillStyle = look.ink
  pen.fill(new Path2D(look.mark))
  pen.restore()
}

function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim()
}

/** From first to last. */
function scoresOf(table: Table): Scored[] {
  const scores = (table.state?.result?.scores ?? []) as { total: number }[]
  return scores.map(({ total }, seat) => ({ seat, total, name: nameOf(table.state?.seats[String(seat)], seat) })).sort((a, b) => b.total - a.total)
}
