import './look/fonts.css'
import './look/tokens.css'
import './look/base.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { install } from './offline/install'
import { knowGames } from './state/games.svelte'
import { applyPrefs } from './state/prefs.svelte'

void knowGames()
await applyPrefs()
mount(App, { target: document.getElementById('app')! })
void install()
