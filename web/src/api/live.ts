/** The live connection to a table: hello, then updates in and requests out. It reconnects by itself and sends everything unanswered again. */
import { unreached } from '../offline/reach.svelte'
import { myKey, randomText } from './key'
import type { CommandName, Commands, FromServer } from './types'

export type Connection = 'connecting' | 'live' | 'lost' | 'refused'

export interface Listener {
  /** The page's position in the viewer's stream, if it has received anything. */
  cursor(): number | null
  message(message: FromServer): void
  changed(connection: Connection, code?: string): void
}

/** A request's fields, without the id, which the connection adds. Those that have a default may be left out. */
export type Fields<Name extends CommandName> = Omit<Commands[Name], 'id'>
/** The fields, which a request that needs none may do without. */
export type Given<Name extends CommandName> = {} extends Fields<Name> ? [fields?: Fields<Name>] : [fields: Fields<Name>]

interface Waiting {
  text: string
  tries: number // that the server was too busy for
  done: () => void
  refused: (code: string, message: string) => void
}

const FIRST_RETRY = 250 // milliseconds
const LAST_RETRY = 5_000
// a dead line shows within two seconds: silence, a ping, and no answer to it
const PING_AFTER = 800 // of silence, while somebody looks
const PING_UNSEEN = 12_000
const DOUBT_AFTER = 1_000 // without an answer
const PONG_WITHIN = 6_000 // then it connects again
const HELLO_WITHIN = 8_000
const NOT_ALLOWED = 1008
const BUSY_TRIES = 5 // then people are told
const BUSY_FOR = 1_500

export class Live {
  private socket: WebSocket | null = null
  private waiting = new Map<string, Waiting>()
  private retry = FIRST_RETRY
  private timer = 0
  private isWelcome = false
  private isDoubted = false // no answer to a ping yet
  private beat = 0 // timers
  private doubt = 0
  private pong = 0
  private closed = false
  private refusal = ''

  constructor(
    private readonly table: string,
    private readonly listener: Listener,
  ) {
    addEventListener('online', this.comeBack)
    addEventListener('offline', this.wentOffline)
    document.addEventListener('visibilitychange', this.comeBack)
    this.open()
  }

  /** Sent with an id of its own, and again after every reconnect until it is answered: the server acts on it only once. */
  send<Name extends CommandName>(type: Name, ...[fields]: Given<Name>): Promise<void> {
    const id = randomText(9)
    const text = JSON.stringify({ type, id, ...fields })
    return new Promise((done, fail) => {
      this.waiting.set(id, { text, tries: 0, done, refused: (code, message) => fail(Object.assign(new Error(message), { code })) })
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text)
    })
  }

  close(): void {
    this.closed = true
    removeEventListener('online', this.comeBack)
    removeEventListener('offline', this.wentOffline)
    document.removeEventListener('visibilitychange', this.comeBack)
    this.drop()
  }

  private open(): void {
    const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/tables/${this.table}/live`
    const socket = new WebSocket(address)
    this.refusal = ''
    this.pong = window.setTimeout(() => this.again(), HELLO_WITHIN) // a socket that opens and then stays silent does not count as connected
    this.socket = socket
    socket.onopen = () => {
      const after = this.listener.cursor()
      socket.send(JSON.stringify({ type: 'hello', key: myKey(), ...(after === null ? {} : { after }) }))
    }
    socket.onmessage = (event) => this.heard(JSON.parse(String(event.data)) as FromServer)
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code)
    }
  }

  private heard(message: FromServer): void {
    this.listen()
    if (message.type === 'done' || message.type === 'refused') this.answered(message)
    if (message.type === 'snapshot' || message.type === 'update') this.welcome()
    this.listener.message(message)
  }

  private answered(message: FromServer & { type: 'done' | 'refused' }): void {
    const waits = message.id ? this.waiting.get(message.id) : undefined
    if (message.type === 'refused' && !message.id) this.refusal = message.code
    if (!waits || !message.id) return
    if (message.type === 'refused' && message.code === 'busy' && waits.tries < BUSY_TRIES) {
      this.tryLater(message.id, waits)
      return
    }
    this.waiting.delete(message.id)
    if (message.type === 'done') waits.done()
    else waits.refused(message.code, message.message)
  }

  /** The server has too much to do and did nothing: send it again, not at the same moment as everybody else. */
  private tryLater(id: string, waits: Waiting): void {
    waits.tries += 1
    const socket = this.socket
    const send = (): void => {
      if (this.socket === socket && socket?.readyState === WebSocket.OPEN && this.waiting.has(id)) socket.send(waits.text)
    }
    window.setTimeout(send, BUSY_FOR * waits.tries * (0.5 + Math.random()))
  }

  /** The first answer to hello: send everything still unanswered again, in order. */
  private welcome(): void {
    if (this.isWelcome) return
    this.isWelcome = true
    this.retry = FIRST_RETRY
    this.refusal = ''
    this.listener.changed('live')
    for (const { text } of this.waiting.values()) this.socket?.send(text)
  }

  /** The line is alive: ask again after a while of silence. */
  private listen(): void {
    this.hush()
    this.beat = window.setTimeout(() => this.ping(), document.hidden ? PING_UNSEEN : PING_AFTER)
    if (!this.isDoubted) return
    this.isDoubted = false
    this.listener.changed('live')
  }

  /** A connection can die silently; a missing answer reveals it. */
  private ping(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.socket.send('{"type":"ping"}')
    this.hush()
    this.doubt = window.setTimeout(() => this.suspect(), DOUBT_AFTER)
    this.pong = window.setTimeout(() => this.again(), PONG_WITHIN)
  }

  private suspect(): void {
    this.isDoubted = true
    this.listener.changed('lost')
  }

  private hush(): void {
    clearTimeout(this.beat)
    clearTimeout(this.doubt)
    clearTimeout(this.pong)
  }

  private lost(code: number): void {
    this.drop()
    if (this.closed) return
    if (code === NOT_ALLOWED && this.refusal && this.refusal !== 'preparing') {
      this.listener.changed('refused', this.refusal)
      return
    }
    this.listener.changed('lost')
    unreached()
    this.timer = window.setTimeout(() => this.open(), this.retry * (0.75 + Math.random() / 2))
    this.retry = Math.min(2 * this.retry, LAST_RETRY)
  }

  /** Say hello again, e.g. because an update does not fit: then with a fresh snapshot. */
  again(): void {
    this.drop()
    this.listener.changed('connecting')
    this.open()
  }

  private drop(): void {
    clearTimeout(this.timer)
    this.hush()
    this.isWelcome = this.isDoubted = false
    const socket = this.socket
    this.socket = null
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null
      socket.close()
    }
  }

  /** An answer to the ping proves the browser wrong: a server on the same machine needs no network. */
  private wentOffline = (): void => {
    if (!this.isWelcome) return
    this.ping()
    this.suspect()
  }

  private comeBack = (): void => {
    if (document.hidden || this.closed) return
    if (!this.socket || this.socket.readyState > WebSocket.OPEN) this.again()
    else this.ping()
  }
}
