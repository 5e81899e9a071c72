/** All words of one language, in one file of the built page. */
import board from './pl/board.json'
import common from './pl/common.json'
import end from './pl/end.json'
import game from './pl/game.json'
import guide from './pl/guide.json'
import log from './pl/log.json'
import replay from './pl/replay.json'
import start from './pl/start.json'
import why from './pl/why.json'
import yard from './pl/yard.json'

export default { ...board, ...common, ...end, ...game, ...guide, ...log, ...replay, ...start, ...why, ...yard }
