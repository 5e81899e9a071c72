/** The keys of all messages that the page can show. Written by scripts/vocabulary.py from the folder of the English catalogues. */
import type board from '$words/en/messages/board.json'
import type chance from '$words/en/messages/chance.json'
import type common from '$words/en/messages/common.json'
import type compass from '$words/en/messages/compass.json'
import type editor from '$words/en/messages/editor.json'
import type end from '$words/en/messages/end.json'
import type examples from '$words/en/messages/examples.json'
import type game from '$words/en/messages/game.json'
import type guide from '$words/en/messages/guide.json'
import type log from '$words/en/messages/log.json'
import type pace from '$words/en/messages/pace.json'
import type replay from '$words/en/messages/replay.json'
import type screen from '$words/en/messages/screen.json'
import type start from '$words/en/messages/start.json'
import type why from '$words/en/messages/why.json'
import type yard from '$words/en/messages/yard.json'

export type Key =
  | keyof typeof board
  | keyof typeof chance
  | keyof typeof common
  | keyof typeof compass
  | keyof typeof editor
  | keyof typeof end
  | keyof typeof examples
  | keyof typeof game
  | keyof typeof guide
  | keyof typeof log
  | keyof typeof pace
  | keyof typeof replay
  | keyof typeof screen
  | keyof typeof start
  | keyof typeof why
  | keyof typeof yard
