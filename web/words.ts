/** Loads the words of each language into the page: `virtual:words` has a loader for every language, which fetches all its messages in one file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const ALL = '\0virtual:words'

export function words(folder: string): Plugin {
  return {
    name: 'words',
    resolveId: (name) => (name.startsWith('virtual:words') ? `\0${name}` : null),
    load(name) {
      if (name === ALL) return loaders(folder)
      if (!name.startsWith(`${ALL}/`)) return null
      const files = catalogues(`${folder}/${name.slice(ALL.length + 1)}/messages`)
      files.forEach((file) => this.addWatchFile(file))
      return `export default ${JSON.stringify(Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')))))}`
    },
  }
}

function loaders(folder: string): string {
  const languages = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/language.json`))
  return `export default { ${languages.map((one) => `'${one}': () => import('virtual:words/${one}')`).join(', ')} }`
}

/** What stands in a subfolder is not for the page. */
function catalogues(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => `${folder}/${name}`)
}
