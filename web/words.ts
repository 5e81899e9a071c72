/** Loads the words of each language into the page: `virtual:words` has a loader for every language, which fetches all its messages and terms in one file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'vite'

const ALL = '\0virtual:words'

export function words(folder: string): Plugin {
  return {
    name: 'words',
    resolveId: (name) => (name.startsWith('virtual:words') ? `\0${name}` : null),
    load(name) {
      if (name === ALL) return loaders(folder)
      if (!name.startsWith(`${ALL}/`)) return null
      const language = `${folder}/${name.slice(ALL.length + 1)}`
      const [messages, terms] = [catalogues(`${language}/messages`), catalogues(`${language}/terms`)]
      ;[...messages, ...terms].forEach((file) => this.addWatchFile(file))
      const sets = terms.map((file): [string, object] => [basename(file, '.json'), read(file)])
      return `export default ${JSON.stringify(Object.assign({}, ...messages.map(read)))}\nexport const terms = ${JSON.stringify(Object.fromEntries(sets))}`
    },
  }
}

function loaders(folder: string): string {
  const languages = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/language.json`))
  return `export default { ${languages.map((one) => `'${one}': () => import('virtual:words/${one}')`).join(', ')} }`
}

/** What stands in a subfolder is not for the page. */
function catalogues(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => `${folder}/${name}`)
}

function read(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8')) as object
}
