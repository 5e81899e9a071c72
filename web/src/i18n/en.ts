/** All words of one language, in one file of the built page. */
import board from './en/board.json'
import common from './en/common.json'
import end from './en/end.json'
import game from './en/game.json'
import guide from './en/guide.json'
import log from './en/log.json'
import replay from './en/replay.json'
import start from './en/start.json'
import why from './en/why.json'
import yard from './en/yard.json'

export default { ...board, ...common, ...end, ...game, ...guide, ...log, ...replay, ...start, ...why, ...yard }
