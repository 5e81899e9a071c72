/**
 * The board as it stands on the screen, on a canvas. Its drawings are copied into an SVG document together with the page's styles and typeface, because a browser lets
 * an SVG image load nothing from outside. That document holds drawings only: Safari does not let a canvas be read once a page's elements have been drawn on it.
 */
const SVG = 'http://www.w3.org/2000/svg'

/** `scale`: pixels of the canvas per pixel of the screen. */
export async function drawBoard(pen: CanvasRenderingContext2D, board: HTMLElement, scale: number): Promise<void> {
  const all = board.getBoundingClientRect()
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, all.width, all.height)
  pen.clip()
  pen.fillStyle = getComputedStyle(board.querySelector('.window')!).backgroundColor
  pen.fillRect(0, 0, all.width, all.height)
  for (const map of board.querySelectorAll<HTMLImageElement>('.ground img.shown')) {
    const { x, y, width, height } = map.getBoundingClientRect()
    pen.drawImage(map, x - all.x, y - all.y, width, height)
  }
  pen.drawImage(await imageOf(await documentOf(board, all, scale)), 0, 0, all.width, all.height)
  board.querySelectorAll<SVGTextElement>('svg.over-board text').forEach((text) => writeName(pen, text, all))
  pen.restore()
}

async function imageOf(source: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  return image
}

/** Everything drawn below the names. */
async function documentOf(board: HTMLElement, all: DOMRect, scale: number): Promise<string> {
  const root = document.createElementNS(SVG, 'svg')
  const size = { width: all.width * scale, height: all.height * scale, viewBox: `0 0 ${all.width} ${all.height}` }
  for (const [name, value] of Object.entries(size)) root.setAttribute(name, String(value))
  root.setAttribute('data-theme', document.documentElement.dataset.theme ?? 'light')
  root.setAttribute('data-motion', 'off')
  root.style.fontSize = getComputedStyle(document.documentElement).fontSize
  const style = document.createElementNS(SVG, 'style')
  style.textContent = `${rules()}\n${(await fonts()).join('\n')}`
  root.append(style)
  for (const drawing of board.querySelectorAll<SVGSVGElement>('.sheet svg')) root.append(within(board, drawing, placed(drawing, all)))
  return new XMLSerializer().serializeToString(root)
}

/** A copy at its place on the screen. */
function placed(drawing: SVGSVGElement, all: DOMRect): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const { x, y, width, height } = drawing.getBoundingClientRect()
  for (const [name, value] of Object.entries({ x: x - all.x, y: y - all.y, width, height })) {
    copy.setAttribute(name, String(value))
    if (name === 'width' || name === 'height') copy.style.setProperty(name, `${value}px`)
  }
  return copy
}

/** In groups with the names of everything around it, by which the styles find it. */
function within(board: HTMLElement, drawing: Element, copy: Element): Element {
  let [around, inner] = [drawing.parentElement, copy]
  while (around && around !== board.parentElement?.parentElement) {
    const group = document.createElementNS(SVG, 'g')
    group.setAttribute('class', around.className)
    group.append(inner)
    inner = group
    around = around.parentElement
  }
  return inner
}

/** A name, line by line where it stands. */
function writeName(pen: CanvasRenderingContext2D, text: SVGTextElement, all: DOMRect): void {
  const look = getComputedStyle(text)
  if (look.display === 'none') return
  const font = `${look.fontStyle} ${look.fontWeight} ${look.fontSize} ${look.fontFamily}`
  Object.assign(pen, { font, fillStyle: look.fill, strokeStyle: look.stroke, lineWidth: parseFloat(look.strokeWidth), lineJoin: 'round', textBaseline: 'alphabetic' })
  const lines = text.querySelectorAll('tspan')
  for (const line of lines.length ? lines : [text]) {
    const start = line.getStartPositionOfChar(0).matrixTransform(text.getScreenCTM()!)
    const words = line.textContent ?? ''
    pen.strokeText(words, start.x - all.x, start.y - all.y)
    pen.fillText(words, start.x - all.x, start.y - all.y)
  }
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

async function dataOf(address: string): Promise<string> {
  const blob = await (await fetch(address)).blob()
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result as string)
    reader.onerror = () => failed(reader.error ?? new Error(address))
    reader.readAsDataURL(blob)
  })
}
