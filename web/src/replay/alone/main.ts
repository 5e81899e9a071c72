/** The replay in a file of its own: opened from a disk, or inside a notebook. Nothing is asked of any server. */
import './fonts.css'
import '../../look/tokens.css'
import '../../look/base.css'
import { mount } from 'svelte'
import { applyPrefs } from '../../state/prefs.svelte'
import ReplayAlone from './ReplayAlone.svelte'

async function show(): Promise<void> {
  const contents = window.branchlineReplay
  await applyPrefs(contents.language ?? undefined)
  mount(ReplayAlone, { target: document.getElementById('app')!, props: { contents } })
}

void show()
