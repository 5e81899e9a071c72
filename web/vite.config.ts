import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { shell } from './shell'
import { words } from './words'

const $words = fileURLToPath(new URL('../src/branchline/words', import.meta.url))
const $boards = fileURLToPath(new URL('../src/branchline/boards', import.meta.url))

/** The class that keeps a component's styles to itself: six letters instead of the usual word, which stands thousands of times in the built files. */
const classes = new Map<string, string>()
const cssHash = ({ hash, filename }: { hash: (text: string) => string; filename: string }): string => {
  const name = `s${hash(filename).slice(-5)}`
  const other = classes.get(name) ?? filename
  if (other !== filename) throw new Error(`${filename} and ${other} would have the same class, ${name}: rename one of them`)
  classes.set(name, filename)
  return name
}

// The built page belongs to the Python package, which serves it: see src/branchline/server/http/pages.py.
export default defineConfig({
  plugins: [svelte({ compilerOptions: { cssHash } }), words($words), shell($words)],
  resolve: { alias: { $boards, $words } },
  build: {
    outDir: '../src/branchline/client',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's security policy allows inline data only for images
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/offline/worker.ts' },
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') }, // a service worker keeps its address
    },
  },
  server: { fs: { allow: ['.', $boards, $words] }, proxy: { '/api': { target: process.env.BRANCHLINE_API ?? 'http://127.0.0.1:8000', ws: true } } },
})
