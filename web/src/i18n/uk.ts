/** All words of one language, in one file of the built page. */
import board from './uk/board.json'
import common from './uk/common.json'
import end from './uk/end.json'
import game from './uk/game.json'
import guide from './uk/guide.json'
import log from './uk/log.json'
import replay from './uk/replay.json'
import start from './uk/start.json'
import why from './uk/why.json'
import yard from './uk/yard.json'

export default { ...board, ...common, ...end, ...game, ...guide, ...log, ...replay, ...start, ...why, ...yard }
