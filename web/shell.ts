/** What makes the page installable: a manifest in every language, and in the service worker the list of files that it keeps. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const WORKER = 'sw.js'
const ONLINE = /EditorPage/ // the board editor is of no use without its server
const THEME = '#1f3a4a' // the ground of the icon
const PAPER = '#f2ead9'

/** `words`: the folder of languages. */
export function shell(words: string): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    buildStart() {
      for (const language of readdirSync(words).filter((name) => existsSync(`${words}/${name}/language.json`))) {
        this.emitFile({ type: 'asset', fileName: `manifest/${language}.webmanifest`, source: manifest(words, language) })
      }
    },
    writeBundle({ dir }, bundle) {
      const code = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name) && name !== WORKER && !ONLINE.test(name))
      const files = [...code.sort(), 'icon.svg'].map((name) => `/${name}`)
      const version = createHash('sha256').update(files.join()).update(readFileSync(`${dir}/index.html`)).digest('hex').slice(0, 12)
      const worker = readFileSync(`${dir}/${WORKER}`, 'utf8')
      writeFileSync(`${dir}/${WORKER}`, `const SHELL = ${JSON.stringify({ version, files })};\n${worker}`)
    },
  }
}

function manifest(words: string, language: string): string {
  const said = { ...messages(words, 'en'), ...messages(words, language) }
  return JSON.stringify({
    id: '/',
    lang: language,
    name: said['start.page_title'],
    short_name: said['common.branchline'],
    description: said['start.lead'],
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: THEME,
    background_color: PAPER,
    categories: ['games'],
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icons/192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  })
}

function messages(words: string, language: string): Record<string, string> {
  return Object.assign({}, ...['common', 'start'].map((file) => `${words}/${language}/messages/${file}.json`).filter(existsSync).map(read)) as Record<string, string>
}

function read(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8')) as object
}
