/* Draws a board's ground on a canvas: physical map or town, by day or by night. Everything comes in units of the board. */

const THEMES = {
  light: {
    sea: [190, 217, 221],
    deep: [159, 199, 209],
    line: 'rgba(74,128,145,.5)',
    glow: 'rgba(255,255,255,.42)',
    heights: [[233, 235, 208], [244, 232, 203], [222, 197, 155], [250, 246, 236]],
    shore: 'rgba(120,100,60,.12)',
    coast: '#6b7f78',
    river: 'rgba(96,150,170,.75)',
    lake: '#b5d5dc',
    border: 'rgba(120,95,60,.3)',
    graticule: 'rgba(60,90,100,.13)',
    shadow: 'rgba(40,70,80,.35)',
    grain: 2,
    shade: 1,
  },
  dark: {
    sea: [17, 36, 51],
    deep: [10, 24, 37],
    line: 'rgba(80,142,168,.34)',
    glow: 'rgba(70,130,160,.16)',
    heights: [[40, 54, 59], [48, 58, 62], [66, 70, 74], [104, 112, 120]],
    shore: 'rgba(150,190,205,.10)',
    coast: '#6d96a6',
    river: 'rgba(64,112,140,.8)',
    lake: '#15303f',
    border: 'rgba(160,180,190,.22)',
    graticule: 'rgba(150,190,210,.07)',
    shadow: '',
    grain: 1.5,
    shade: 0.8,
  },
}
const TOWNS = {
  light: {
    plot: [240, 231, 212],
    lane: [252, 248, 238],
    lanes: 0.62,
    tints: { 1: '#8d86a8', 2: '#7fa66b', 3: '#6c8fb8', 4: '#d0a24a', 5: '#cf8078' },
    tint: [0.2, 0.36, 0.75],
    street: ['#cdbd9b', '#fffdf4'],
    bridge: ['#9a8b68', '#fffaf0'],
    park: ['#b9d39a', '#8fae6d'],
    tree: ['rgba(74,108,58,.34)', (share) => `rgba(120,168,92,${0.4 + 0.5 * share})`],
    quay: ['#d7c6a0', '#8a7d5e'],
  },
  dark: {
    plot: [43, 50, 56],
    lane: [32, 38, 44],
    lanes: 0.7,
    tints: { 1: '#9c93c4', 2: '#86b878', 3: '#7ba4d6', 4: '#d9ac55', 5: '#d98a82' },
    tint: [0.13, 0.3, 0.75],
    street: ['#1a2026', '#555b55'],
    bridge: ['#0f161c', '#6a6f66'],
    park: ['#2c4a37', '#47705a'],
    tree: ['rgba(8,20,14,.5)', (share) => `rgba(70,112,80,${0.3 + 0.4 * share})`],
    quay: ['#0c161f', '#5b7f92'],
  },
}
const LINES = [13.5, 10, 6.9, 4.2, 2] // how far from the shore lines are engraved
const FADE = 90 // units at the edges over which the picture fades into the page's own colour

const css = (colour, opacity = 1) => `rgba(${colour},${opacity})`

function hash(x, y) {
  let mixed = Math.imul(x, 374761393) ^ Math.imul(y, 668265263)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1274126177)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296
}

function noise(x, y) {
  const [column, row] = [Math.floor(x), Math.floor(y)]
  const ease = (share) => share * share * (3 - 2 * share)
  const [u, v] = [ease(x - column), ease(y - row)]
  const [a, b, c, d] = [hash(column, row), hash(column + 1, row), hash(column, row + 1), hash(column + 1, row + 1)]
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v
}

const clouds = (x, y) =>
  0.5 * noise(x, y) + 0.27 * noise(x * 2.1 + 7, y * 2.1 + 3) + 0.15 * noise(x * 4.3 + 1, y * 4.3 + 9) + 0.08 * noise(x * 8.7, y * 8.7 + 5)

/** A Catmull-Rom curve through the points. */
function smooth(points, closed = false) {
  const path = new Path2D()
  const count = points.length
  const at = (number) => points[closed ? (number + count) % count : Math.min(count - 1, Math.max(0, number))]
  path.moveTo(...points[0])
  for (let number = 0; number < (closed ? count : count - 1); number++) {
    const [before, from, to, after] = [at(number - 1), at(number), at(number + 1), at(number + 2)]
    path.bezierCurveTo(from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6, to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6, ...to)
  }
  return path
}

/** A canvas of the whole region, with the board's units as its own. */
function sheet([x, y, width, height], scale) {
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  const pen = canvas.getContext('2d')
  pen.scale(scale, scale)
  pen.translate(-x, -y)
  pen.lineJoin = pen.lineCap = 'round'
  return pen
}

function paste(pen, from, region) {
  const [x, y, width, height] = region
  pen.drawImage(from, x, y, width, height)
}

/** The height of every pixel that ridges and noise give, one pixel a unit. */
function heights({ region: [left, top, width, height], ridges, detail }) {
  const [columns, rows] = [Math.round(width), Math.round(height)]
  const ridge = new Float32Array(columns * rows)
  for (const [high, wide, points] of ridges) {
    for (let number = 0; number + 1 < points.length; number++) raise(ridge, columns, rows, left, top, high, wide, points[number], points[number + 1])
  }
  const found = new Float32Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = y * columns + x
      const rough = ridge[at] > 0.03 ? 1 - Math.abs(2 * clouds(x * 0.075 * detail + 31, y * 0.075 * detail + 17) - 1) * 1.9 : 0
      found[at] = ridge[at] * (0.45 + 0.75 * Math.max(0, rough)) + 0.16 * clouds(x * 0.022 * detail, y * 0.022 * detail)
    }
  }
  return { found, columns, rows }
}

function raise(ridge, columns, rows, left, top, high, wide, [ax, ay], [bx, by]) {
  const reach = wide * 2.6
  const long = (bx - ax) ** 2 + (by - ay) ** 2 || 1
  const [first, last] = [Math.max(0, Math.floor(Math.min(ax, bx) - reach - left)), Math.min(columns - 1, Math.ceil(Math.max(ax, bx) + reach - left))]
  const [upper, lower] = [Math.max(0, Math.floor(Math.min(ay, by) - reach - top)), Math.min(rows - 1, Math.ceil(Math.max(ay, by) + reach - top))]
  for (let y = upper; y <= lower; y++) {
    for (let x = first; x <= last; x++) {
      const bend = wide * 1.1 // spurs and valleys: no range is as straight as its line
      const [px, py] = [x + left + (clouds(x * 0.05, y * 0.05) - 0.5) * bend, y + top + (clouds(x * 0.05 + 50, y * 0.05 + 50) - 0.5) * bend]
      const share = Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / long))
      const away = ((px - ax - share * (bx - ax)) ** 2 + (py - ay - share * (by - ay)) ** 2) / (wide * wide)
      ridge[y * columns + x] = Math.max(ridge[y * columns + x], high * Math.exp(-away * 1.3))
    }
  }
}

/** Land tinted by height and lit from the north-west. */
function relief(drawing, theme) {
  const { found, columns, rows } = heights(drawing)
  const canvas = new OffscreenCanvas(columns, rows)
  const pen = canvas.getContext('2d')
  const image = pen.createImageData(columns, rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = y * columns + x
      const slope = found[x < columns - 1 ? at + 1 : at] - found[x ? at - 1 : at] + found[y < rows - 1 ? at + columns : at] - found[y ? at - columns : at]
      const light = Math.max(-1, Math.min(1, slope * 3.5)) * theme.shade
      const grain = (hash(x, y) - 0.5) * theme.grain
      const tint = tinted(Math.max(0, found[at] - 0.05), theme.heights)
      for (let part = 0; part < 3; part++) {
        const value = tint[part]
        image.data[at * 4 + part] = value + (light > 0 ? light * (255 - value) * 0.42 : light * value * (part === 2 ? 0.26 : 0.34)) + grain
      }
      image.data[at * 4 + 3] = 255
    }
  }
  pen.putImageData(image, 0, 0)
  return canvas
}

function tinted(high, [low, middle, upper, top]) {
  if (high < 0.16) return mixed(low, middle, high / 0.16)
  return high < 0.5 ? mixed(middle, upper, (high - 0.16) / 0.34) : mixed(upper, top, Math.min(1, (high - 0.5) / 0.4))
}

const mixed = (one, other, share) => one.map((value, part) => value + (other[part] - value) * share)

/** The shore without the straight cuts at the edges of the region. */
function shoreOf(path, [left, top, width, height]) {
  const cut = ([x, y]) => x <= left + 0.2 || y <= top + 0.2 || x >= left + width - 0.2 || y >= top + height - 0.2
  const shore = new Path2D()
  for (const ring of path.replaceAll('Z', '').split('M').slice(1)) {
    const points = ring.split('L').map((point) => point.split(' ').map(Number))
    points.push(points[0])
    let isOpen = false
    for (let number = 0; number + 1 < points.length; number++) {
      const [from, to] = [points[number], points[number + 1]]
      if (cut(from) && cut(to)) isOpen = false
      else {
        if (!isOpen) shore.moveTo(...from)
        shore.lineTo(...to)
        isOpen = true
      }
    }
  }
  return shore
}

function drawSea(pen, { region: [x, y, width, height], frame: [across, down] }, theme) {
  const gradient = pen.createRadialGradient(across * 0.45, down * 0.5, 60, across * 0.45, down * 0.5, Math.max(across, down) * 0.85)
  gradient.addColorStop(0, css(theme.sea))
  gradient.addColorStop(1, css(theme.deep))
  pen.fillStyle = gradient
  pen.fillRect(x, y, width, height)
}

/** A white glow and thin lines parallel to the shore. */
function drawShore(pen, drawing, theme, shore, scale) {
  pen.strokeStyle = theme.glow
  pen.globalAlpha = 0.34
  for (const wide of [30, 20, 11]) {
    pen.lineWidth = wide
    pen.stroke(shore)
  }
  pen.globalAlpha = 1
  const lines = sheet(drawing.region, scale)
  const away = drawing.lines.length ? drawing.lines : LINES
  for (const [number, far] of away.entries()) {
    lines.globalCompositeOperation = 'source-over'
    lines.globalAlpha = 0.25 + (0.75 * number) / (away.length - 1)
    lines.strokeStyle = theme.line
    lines.lineWidth = 2 * far + 0.75
    lines.stroke(shore)
    lines.globalAlpha = 1
    lines.globalCompositeOperation = 'destination-out'
    lines.lineWidth = 2 * far
    lines.stroke(shore)
  }
  paste(pen, lines.canvas, drawing.region)
}

function drawLand(pen, drawing, theme, shore, scale) {
  const land = sheet(drawing.region, scale)
  land.fill(new Path2D(drawing.land), 'evenodd')
  land.globalCompositeOperation = 'source-in'
  land.imageSmoothingQuality = 'high'
  paste(land, relief(drawing, theme), drawing.region)
  land.globalCompositeOperation = 'source-atop'
  land.strokeStyle = theme.shore
  for (const wide of [7, 3]) {
    land.lineWidth = wide
    land.stroke(shore)
  }
  land.strokeStyle = theme.river
  land.lineWidth = drawing.detail > 1 ? 0.8 : 1.15
  land.stroke(new Path2D(drawing.rivers))
  land.strokeStyle = theme.border
  land.lineWidth = 0.8
  land.setLineDash([3, 2])
  land.stroke(new Path2D(drawing.borders))
  land.setLineDash([])
  const lakes = new Path2D(drawing.lakes)
  land.fillStyle = theme.lake
  land.fill(lakes, 'evenodd')
  land.strokeStyle = theme.coast
  land.stroke(lakes)
  if (theme.shadow) {
    pen.shadowColor = theme.shadow
    pen.shadowBlur = 5 * scale
    pen.shadowOffsetY = 1.6 * scale
  }
  paste(pen, land.canvas, drawing.region)
  pen.shadowColor = 'transparent'
  pen.strokeStyle = theme.coast
  pen.lineWidth = 0.9
  pen.stroke(shore)
}

/** At night every city shines, the more ways meet there. */
function drawLights(pen, cities) {
  pen.globalCompositeOperation = 'lighter'
  for (const [x, y, ways] of cities) {
    const reach = 16 + ways * 2.2
    const light = pen.createRadialGradient(x, y, 0, x, y, reach)
    light.addColorStop(0, 'rgba(255,196,110,.34)')
    light.addColorStop(0.35, 'rgba(255,180,90,.14)')
    light.addColorStop(1, 'rgba(255,170,80,0)')
    pen.fillStyle = light
    pen.fillRect(x - reach, y - reach, 2 * reach, 2 * reach)
  }
  pen.globalCompositeOperation = 'source-over'
}

function drawMap(pen, drawing, theme, scale) {
  const shore = shoreOf(drawing.land, drawing.region)
  drawSea(pen, drawing, theme)
  drawShore(pen, drawing, theme, shore, scale)
  drawLand(pen, drawing, theme, shore, scale)
  pen.strokeStyle = theme.graticule
  pen.lineWidth = 0.7
  pen.stroke(new Path2D(drawing.graticule))
}

/** Plots and lanes from a scattered net. */
function plots({ region: [, , width, height] }, town, grain) {
  const scale = 1.6
  const [columns, rows, cell] = [Math.round(width * scale), Math.round(height * scale), 9.5 * scale]
  const across = Math.ceil(columns / cell) + 3
  const seeds = []
  for (let row = 0; row < Math.ceil(rows / cell) + 3; row++) {
    for (let column = 0; column < across; column++) {
      seeds.push([(column - 0.78 + 0.56 * hash(column, row)) * cell, (row - 0.78 + 0.56 * hash(column + 99, row)) * cell, hash(column, row + 77)])
    }
  }
  const canvas = new OffscreenCanvas(columns, rows)
  const pen = canvas.getContext('2d')
  const image = pen.createImageData(columns, rows)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [gap, tone] = plotAt(x, y, cell, across, seeds)
      const open = gap / scale
      const lane = (open < 0.7 ? 1 : open < 1.5 ? (1.5 - open) / 0.8 : 0) * town.lanes
      const edge = open > 1.5 && open < 2.3 ? -4 : 0
      const speck = (hash(x, y) - 0.5) * grain
      for (let part = 0; part < 3; part++) {
        const value = town.plot[part] + (tone - 0.5) * 10 + edge
        image.data[(y * columns + x) * 4 + part] = value + (town.lane[part] - value) * lane + speck
      }
      image.data[(y * columns + x) * 4 + 3] = 255
    }
  }
  pen.putImageData(image, 0, 0)
  return canvas
}

function plotAt(x, y, cell, across, seeds) {
  let [nearest, second, tone] = [1e9, 1e9, 0]
  const [column, row] = [Math.floor(x / cell) + 1, Math.floor(y / cell) + 1]
  for (let down = -1; down < 2; down++) {
    for (let right = -1; right < 2; right++) {
      const seed = seeds[(row + down) * across + column + right]
      if (!seed) continue
      const [dx, dy] = [x - seed[0], y - seed[1]]
      const away = Math.max(Math.abs(dx), Math.abs(dy)) * 0.8 + Math.hypot(dx, dy) * 0.2
      if (away < nearest) [second, nearest, tone] = [nearest, away, seed[2]]
      else if (away < second) second = away
    }
  }
  return [second - nearest, tone]
}

function drawDistricts(pen, { districts }, town) {
  for (const [district, path] of Object.entries(districts)) {
    const shape = new Path2D(path)
    pen.fillStyle = pen.strokeStyle = town.tints[district] ?? '#888888'
    pen.globalAlpha = town.tint[0]
    pen.fill(shape)
    pen.save()
    pen.clip(shape)
    for (const [number, wide] of [5, 1.6].entries()) {
      pen.lineWidth = wide
      pen.globalAlpha = town.tint[1 + number]
      pen.stroke(shape)
    }
    pen.restore()
    pen.globalAlpha = 1
  }
}

function drawStreets(pen, streets, [casing, surface], wide) {
  for (const [colour, width] of [[casing, wide + 1.4], [surface, wide]]) {
    pen.strokeStyle = colour
    pen.lineWidth = width
    for (const { places } of streets) pen.stroke(smooth(places))
  }
}

function drawParks(pen, { parks, ponds, region: [left, top, width, height] }, town, water) {
  const shape = new Path2D()
  for (const { places } of parks) shape.addPath(smooth(places, true))
  pen.fillStyle = town.park[0]
  pen.fill(shape)
  pen.save()
  pen.clip(shape)
  for (let y = top; y < top + height; y += 5) {
    for (let x = left; x < left + width; x += 5) drawTree(pen, x, y, town)
  }
  pen.restore()
  pen.strokeStyle = town.park[1]
  pen.lineWidth = 1.1
  pen.stroke(shape)
  for (const { places } of ponds) {
    const pond = smooth(places, true)
    pen.fillStyle = water
    pen.fill(pond)
    pen.stroke(pond)
  }
}

function drawTree(pen, x, y, town) {
  const share = hash(x | 0, y | 0)
  if (share < 0.42) return
  const [atX, atY, radius] = [x + 4 * hash(x | 0, (7 + y) | 0), y + 4 * hash((3 + x) | 0, y | 0), 1.1 + 1.5 * share]
  for (const [colour, right, down] of [[town.tree[0], 0.6, 0.9], [town.tree[1](share), 0, 0]]) {
    pen.fillStyle = colour
    pen.beginPath()
    pen.arc(atX + right, atY + down, radius, 0, 7)
    pen.fill()
  }
}

function drawRiver(pen, { river, canal }, town, theme) {
  const course = new Path2D(river)
  const [bank, quay] = town.quay
  for (const [wide, colour] of [[3.4, quay], [2.2, css(theme.sea)]]) {
    pen.lineWidth = wide
    pen.strokeStyle = colour
    pen.stroke(smooth(canal))
  }
  const strokes = [[29, bank], [26.5, quay], [25, css(theme.sea)], [19, theme.line], [18.2, css(theme.sea)], [12.5, theme.line], [11.8, css(theme.sea)], [9, css(theme.deep, 0.8)]]
  for (const [wide, colour] of strokes) {
    pen.lineWidth = wide
    pen.strokeStyle = colour
    pen.stroke(course)
  }
  return course
}

/** A town with shores lies on its land, and only its bridges cross the water. */
function drawTown(pen, drawing, theme, town, scale) {
  if (drawing.land === undefined) return drawPlots(pen, drawing, theme, town, scale)
  const shore = shoreOf(drawing.land, drawing.region)
  drawSea(pen, drawing, theme)
  drawShore(pen, drawing, theme, shore, scale)
  drawStreets(pen, drawing.streets.filter(({ bridge }) => bridge), town.bridge, 4.2)
  const built = sheet(drawing.region, scale)
  built.fill(new Path2D(drawing.land), 'evenodd')
  built.globalCompositeOperation = 'source-atop'
  drawPlots(built, drawing, theme, town, scale)
  paste(pen, built.canvas, drawing.region)
  pen.strokeStyle = town.quay[1]
  pen.lineWidth = 1.1
  pen.stroke(shore)
}

function drawPlots(pen, drawing, theme, town, scale) {
  paste(pen, plots(drawing, town, theme.grain * 0.7), drawing.region)
  drawDistricts(pen, drawing, town)
  drawStreets(pen, drawing.streets, town.street, 3.6)
  drawParks(pen, drawing, town, css(theme.sea))
  if (!drawing.river) return
  const river = drawRiver(pen, drawing, town, theme)
  const bridges = sheet(drawing.region, scale)
  drawStreets(bridges, drawing.streets.filter(({ bridge }) => bridge), town.bridge, 4.2)
  bridges.globalCompositeOperation = 'destination-in'
  bridges.lineWidth = 28
  bridges.strokeStyle = '#000'
  bridges.stroke(river)
  paste(pen, bridges.canvas, drawing.region)
}

/** Towards the edges of the region, which only the largest windows show. */
function fade(pen, [x, y, width, height], colour) {
  for (const [fromX, fromY, toX, toY] of [[x + FADE, 0, x, 0], [x + width - FADE, 0, x + width, 0], [0, y + FADE, 0, y], [0, y + height - FADE, 0, y + height]]) {
    const gradient = pen.createLinearGradient(fromX, fromY, toX, toY)
    gradient.addColorStop(0, css(colour, 0))
    gradient.addColorStop(1, css(colour))
    pen.fillStyle = gradient
    pen.fillRect(x, y, width, height)
  }
}

/** The picture as a data URL. */
async function picture(drawing, name, scale, quality) {
  const theme = THEMES[name]
  const town = TOWNS[name]
  const pen = sheet(drawing.region, scale)
  if (drawing.streets) drawTown(pen, drawing, theme, town, scale)
  else drawMap(pen, drawing, theme, scale)
  if (name === 'dark') drawLights(pen, drawing.cities)
  fade(pen, drawing.region, drawing.land === undefined ? town.plot : theme.deep)
  const blob = await pen.canvas.convertToBlob({ type: 'image/webp', quality })
  return new Promise((done) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result)
    reader.readAsDataURL(blob)
  })
}
