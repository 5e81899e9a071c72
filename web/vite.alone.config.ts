import { svelte } from '@sveltejs/vite-plugin-svelte'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { words } from './words'

const $words = fileURLToPath(new URL('../src/branchline/words', import.meta.url))

// The replay for files of their own: one script and one style sheet with all languages and fonts, which Python puts into a page (play/replays/page.py).
export default defineConfig({
  plugins: [svelte(), words($words)],
  resolve: { alias: { $words } },
  publicDir: false,
  build: {
    outDir: '../src/branchline/client/alone',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/replay/alone/main.ts',
      output: { codeSplitting: false, entryFileNames: 'replay.js', assetFileNames: 'replay.[ext]' },
    },
  },
})
