"""The page's own code, asked in Node what it would say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import hatch_build

WEB = Path(__file__).parents[2] / "web"
# reads {games, people, asked: [[kind, language, game, what]]}, and writes the sentences
ASKED = """
import { text } from 'node:stream/consumers'
import { createServer } from 'vite'
const { games, people, asked } = JSON.parse(await text(process.stdin))
const vite = await createServer({ server: { middlewareMode: true, watch: null, ws: false, hmr: false }, appType: 'custom', logLevel: 'error' })
const { speak, speakInTerms } = await vite.ssrLoadModule('/src/i18n/i18n.svelte.ts')
const { Game } = await vite.ssrLoadModule('/src/state/games.svelte.ts')
const { sentence } = await vite.ssrLoadModule('/src/game/sentences.ts')
const { whyText } = await vite.ssrLoadModule('/src/game/why.ts')
const { decisionText } = await vite.ssrLoadModule('/src/game/decisions.ts')
const boards = Object.fromEntries(Object.entries(games).map(([name, facts]) => [name, new Game(facts, null)]))
const KINDS = {
  event: (game, event) => sentence(game, event, people),
  reason: (game, { key, values }) => whyText(game, key, values, people),
  decision: (game, { text, row }) => decisionText(game, text, row),
}
const said = []
let spoken = ''
for (const [kind, language, game, what] of asked) {
  if (language !== spoken) await speak((spoken = language))
  speakInTerms(boards[game].facts.words.terms)
  said.push(KINDS[kind](boards[game], what))
}
console.log(JSON.stringify(said))
await vite.close()
"""


def in_node(script: str, given: str) -> str:
    command = [hatch_build.node(), "--input-type=module", "-e", script]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=200, cwd=WEB, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def said_by_the_page(games: dict[str, Any], people: dict[str, Any], asked: list[tuple[str, str, str, Any]]) -> list[str]:
    said: list[str] = json.loads(in_node(ASKED, json.dumps({"games": games, "people": people, "asked": asked})))
    return said
