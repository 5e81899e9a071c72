/**
 * A picture of the final board with the result, made in the browser. The board's own elements are copied into an SVG document together with the page's styles,
 * pictures and typeface, because a browser lets an SVG image load nothing from outside; the image is then drawn on a canvas.
 */
import { t } from '../i18n/i18n.svelte'
import { seatLook } from '../look/colours'
import { nameOf } from '../look/people'
import { gameName, type Game } from '../state/games.svelte'
import type { Table } from '../state/table.svelte'

const SCALE = 2
const CAPTION = 64 // pixels below the board
const SVG = 'http://www.w3.org/2000/svg'
const XHTML = 'http://www.w3.org/1999/xhtml'

/** Hands it to the device's own sharing if there is one for pictures; otherwise it is downloaded. */
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

async function pictureOf(table: Table, game: Game): Promise<Blob> {
  const board = document.querySelector<HTMLElement>('main.board')!
  const { width, height } = board.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = (height + CAPTION) * SCALE
  const drawing = canvas.getContext('2d')!
  drawing.drawImage(await imageOf(board, caption(table, game), width, height), 0, 0, canvas.width, canvas.height)
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'))
}

async function imageOf(board: HTMLElement, below: HTMLElement, width: number, height: number): Promise<HTMLImageElement> {
  const source = await documentOf(board, below, width, height)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  return image
}

/** The board as an SVG document that needs nothing from outside. */
async function documentOf(board: HTMLElement, below: HTMLElement, width: number, height: number): Promise<string> {
  const root = document.createElementNS(SVG, 'svg')
  for (const [name, value] of Object.entries({ width: width * SCALE, height: (height + CAPTION) * SCALE, viewBox: `0 0 ${width} ${height + CAPTION}` })) root.setAttribute(name, String(value))
  root.setAttribute('data-theme', document.documentElement.dataset.theme ?? 'light')
  root.setAttribute('data-motion', 'off')
  root.style.fontSize = getComputedStyle(document.documentElement).fontSize
  const style = document.createElementNS(SVG, 'style')
  style.textContent = `${rules()}\n${(await fonts()).join('\n')}`
  const holder = document.createElementNS(SVG, 'foreignObject')
  holder.setAttribute('width', '100%')
  holder.setAttribute('height', '100%')
  const page = document.createElementNS(XHTML, 'div') as HTMLElement
  page.className = board.parentElement?.className ?? ''
  page.style.cssText = `${board.parentElement?.style.cssText ?? ''};position:absolute;inset:0;width:${width}px;height:${height + CAPTION}px;font-family:var(--font);line-height:1.4;color:var(--ink)`
  const copy = board.cloneNode(true) as HTMLElement
  copy.querySelectorAll('.zoom, .spoken, .news').forEach((one) => one.remove())
  copy.style.bottom = `${CAPTION}px`
  await inline(copy)
  page.append(copy, below)
  holder.append(page)
  root.append(style, holder)
  return new XMLSerializer().serializeToString(root)
}

function rules(): string {
  const all = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  return all.filter((rule) => !(rule instanceof CSSFontFaceRule)).map((rule) => rule.cssText).join('\n')
}

/** The parts of the typeface that the page has loaded. */
async function fonts(): Promise<string[]> {
  const loaded = new Set([...document.fonts].filter(({ status }) => status === 'loaded').map(({ weight, style, unicodeRange }) => keyOf(weight, style, unicodeRange)))
  const faces = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule instanceof CSSFontFaceRule)
  const used = faces.filter(({ style }) => loaded.has(keyOf(style.getPropertyValue('font-weight'), style.getPropertyValue('font-style'), style.getPropertyValue('unicode-range'))))
  return Promise.all(
    used.map(async (face) => {
      const address = /url\("?([^")]+)"?\)/.exec(face.cssText)?.[1] ?? ''
      return face.cssText.replace(/src:[^;]+;/, `src: url("${await dataOf(new URL(address, face.parentStyleSheet?.href ?? location.href).href)}");`)
    }),
  )
}

function keyOf(weight: string, style: string, range: string): string {
  return `${weight} ${style || 'normal'} ${range.replaceAll(' ', '').toLowerCase()}`
}

/** Pictures become part of the document. */
async function inline(copy: HTMLElement): Promise<void> {
  for (const one of copy.querySelectorAll('img, image')) {
    const name = one.hasAttribute('src') ? 'src' : 'href'
    const address = one.getAttribute(name)
    if (address && !address.startsWith('data:')) one.setAttribute(name, await dataOf(new URL(address, location.href).href))
  }
}

async function dataOf(address: string): Promise<string> {
  const blob = await (await fetch(address)).blob()
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result as string)
    reader.onerror = () => failed(reader.error ?? new Error(address))
    reader.readAsDataURL(blob)
  })
}

/** The game's name, and every seat with its points, from first to last. */
function caption(table: Table, game: Game): HTMLElement {
  const line = document.createElementNS(XHTML, 'div') as HTMLElement
  line.style.cssText = `position:absolute;inset:auto 0 0;display:flex;gap:1.4rem;align-items:center;height:${CAPTION}px;padding:0 1rem;background:var(--panel);color:var(--ink);font-variant-numeric:lining-nums`
  const title = document.createElementNS(XHTML, 'strong') as HTMLElement
  title.style.fontSize = '1.25rem'
  title.textContent = `${t('common.branchline')} · ${gameName(game.facts.game)}`
  line.append(title, ...totalsOf(table).map(([seat, total]) => scoreOf(table, seat, total)))
  return line
}

function scoreOf(table: Table, seat: number, total: number): HTMLElement {
  const look = seatLook(seat)
  const score = document.createElementNS(XHTML, 'span') as HTMLElement
  score.style.cssText = 'display:flex;gap:0.4rem;align-items:center;white-space:nowrap'
  score.innerHTML = `<svg xmlns="${SVG}" width="24" height="24" viewBox="-6 -6 12 12"><circle r="5.6" fill="${look.fill}"/><path d="${look.mark}" fill="${look.ink}"/></svg>`
  const points = document.createElementNS(XHTML, 'strong')
  points.textContent = String(total)
  score.append(nameOf(table.state?.seats[String(seat)], seat), points)
  return score
}

/** Seats and their totals, from first to last. */
function totalsOf(table: Table): [number, number][] {
  const scores = (table.state?.result?.scores ?? []) as { total: number }[]
  return scores.map(({ total }, seat): [number, number] => [seat, total]).sort((a, b) => b[1] - a[1])
}
