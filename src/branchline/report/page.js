/* Draws the charts, sorts tables, and tells of routes that are pointed at. The page can be read without it. */
(() => {
  'use strict'
  const { config, numbers, charts } = JSON.parse(document.getElementById('charts').textContent)
  const options = {
    mode: 'vega-lite',
    renderer: 'svg',
    actions: false,
    ast: true, // expressions are read, not compiled: no code from text
    defaultStyle: false,
    tooltip: { theme: 'own', disableDefaultStyle: true },
    config,
    formatLocale: numbers,
  }

  async function draw() {
    await Promise.all(['400 13px', '700 13px'].map((size) => document.fonts.load(`${size} "Alegreya Sans"`)))
    const places = [...document.querySelectorAll('[data-chart]')]
    await Promise.all(places.map((place) => vegaEmbed(place, charts[place.dataset.chart], options)))
    document.documentElement.dataset.drawn = 'yes'
  }

  function valueOf(row, column) {
    const { value } = row.cells[column].dataset
    return value === undefined || value === '' ? null : Number.isNaN(Number(value)) ? value : Number(value)
  }

  /** Numbers begin with the largest, names with A; a second click turns round. What has no value comes last. */
  function sort(heading) {
    const table = heading.closest('table')
    const column = heading.cellIndex
    const rows = [...table.tBodies[0].rows]
    const isText = rows.some((row) => typeof valueOf(row, column) === 'string')
    const before = heading.getAttribute('aria-sort')
    const up = before ? before === 'descending' : isText
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort')
    heading.setAttribute('aria-sort', up ? 'ascending' : 'descending')
    rows.sort((one, other) => {
      const [a, b] = [valueOf(one, column), valueOf(other, column)]
      if (a === null || b === null) return (a === null) - (b === null)
      const order = isText ? String(a).localeCompare(String(b), document.documentElement.lang) : a - b
      return up ? order : -order
    })
    table.tBodies[0].append(...rows)
    endAtRow(table.closest('.tall'))
  }

  /** A table that scrolls ends with a whole row, however high its rows are here. */
  function endAtRow(place) {
    if (!place) return
    place.classList.add('rows')
    place.classList.remove('cut')
    place.style.maxHeight = ''
    const { top } = place.getBoundingClientRect()
    const seen = place.clientHeight
    const ends = [...place.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().bottom - top + place.scrollTop)
    const last = ends.findLast((end) => end <= seen)
    if (last === undefined || last === ends.at(-1)) return
    place.classList.add('cut')
    place.style.maxHeight = `${last + place.offsetHeight - place.clientHeight}px`
  }

  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.hidden = true
  document.body.append(tip)
  let told = null

  function tell(route, event) {
    if (route !== told) {
      told?.classList.remove('told')
      told = route
      route?.classList.add('told')
      tip.hidden = !route
      tip.replaceChildren(...(route ? route.dataset.tip.split('|').map(line) : []))
    }
    if (!route) return
    const { width, height } = tip.getBoundingClientRect()
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - width - 8))}px`
    tip.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18}px`
  }

  function line(text) {
    const made = document.createElement('p')
    made.textContent = text
    return made
  }

  for (const board of document.querySelectorAll('.board')) {
    for (const kind of ['pointermove', 'pointerdown']) board.addEventListener(kind, (event) => tell(event.target.closest('.route'), event))
    board.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && tell(null, event))
  }
  document.addEventListener('scroll', () => tell(null), { passive: true, capture: true })
  for (const button of document.querySelectorAll('.sortable th button')) button.addEventListener('click', () => sort(button.parentElement))
  const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => endAtRow(target.closest('.tall'))))
  for (const table of document.querySelectorAll('.tall table')) sizes.observe(table)
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((one) => (one.open = true)))
  draw()
})()
