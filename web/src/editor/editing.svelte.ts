/** The board that is being edited: the document, what can be undone, what is selected, and how far it is saved. */
import { Refused } from '../api/http'
import type { Change, Document, Edited, Problem, Saved } from './document'
import { ask } from './requests'

export type Tool = 'select' | 'city' | 'route' | 'ticket'
/** `stays`: only shown on the map, and the panel stays as it is. */
export type Selection = { kind: 'city' | 'route' | 'ticket'; index: number; stays?: boolean }
/** `changed`: somebody else has written meanwhile, and only a person can say which of the two is to stay. */
export type SaveState = 'saved' | 'waiting' | 'saving' | 'offline' | 'changed' | 'refused'

interface Pending {
  folder: string
  revision: string
  document: Document
}

const REST = 350 // milliseconds without a change after which it is saved
const AGAIN = 2_000
const TOGETHER = 1_500 // milliseconds in which changes of the same field are one step
const MOST_STEPS = 500
const KEPT_AS = 'branchline.unsaved_board'

export class Editing {
  document = $state.raw<Document>() as Document
  selected = $state.raw<Selection | null>(null)
  tool = $state<Tool>('select')
  past = $state.raw<Document[]>([])
  future = $state.raw<Document[]>([])
  state = $state<SaveState>('saved')
  problems = $state.raw<Problem[]>([])
  values = $state.raw<Record<string, number>>({})
  isPlayable = $state(false)
  hasPicture = $state(false)
  ranges: Record<string, [number, number]> = {}
  colours: string[] = []
  wild: Edited['wild'] = 'locomotive' // what the board calls its wild cards
  revision = $state('')
  private folder = ''
  private last = { group: '', time: 0 }
  private timer: ReturnType<typeof setTimeout> | undefined
  private isBusy = false

  constructor(edited: Edited) {
    this.take(edited)
    this.past = []
    this.recover()
  }

  /** A document from the server becomes the one that is edited; the one before can be brought back. */
  take(edited: Edited): void {
    if (this.document) this.remember('')
    this.document = edited.document as Document
    this.ranges = edited.ranges as Record<string, [number, number]>
    this.colours = edited.colours
    this.wild = edited.wild
    this.folder = edited.folder
    this.hasPicture = edited.has_picture
    this.selected = null
    this.heard(edited)
    this.state = 'saved'
  }

  private heard(saved: Saved): void {
    this.revision = saved.revision
    this.problems = saved.problems
    this.values = saved.values
    this.isPlayable = saved.is_playable
  }

  /** What this browser could not save when it was closed. */
  private recover(): void {
    const pending = unsaved()
    if (pending?.folder !== this.folder || JSON.stringify(pending.document) === JSON.stringify(this.document)) return forget()
    const isNewest = pending.revision === this.revision
    this.remember('')
    this.document = pending.document
    if (isNewest) this.saveSoon()
    else this.state = 'changed'
  }

  // changes

  /** Changes of one group that follow each other closely, such as letters of a name, are undone together. */
  change(change: Change, group = ''): void {
    const next = change(this.document)
    if (next === this.document) return
    this.remember(group)
    this.document = next
    this.saveSoon()
  }

  private remember(group: string): void {
    const now = Date.now()
    const isSame = group !== '' && group === this.last.group && now - this.last.time < TOGETHER
    if (!isSame) this.past = [...this.past.slice(-MOST_STEPS), this.document]
    this.last = { group, time: now }
    this.future = []
  }

  undo(): void {
    const before = this.past.at(-1)
    if (!before) return
    this.future = [...this.future, this.document]
    this.past = this.past.slice(0, -1)
    this.show(before)
  }

  redo(): void {
    const after = this.future.at(-1)
    if (!after) return
    this.past = [...this.past, this.document]
    this.future = this.future.slice(0, -1)
    this.show(after)
  }

  private show(document: Document): void {
    this.document = document
    this.last = { group: '', time: 0 }
    const rows = { city: document.cities, route: document.routes, ticket: document.tickets }
    if (this.selected && this.selected.index >= rows[this.selected.kind].length) this.selected = null
    this.saveSoon()
  }

  // saving

  private saveSoon(): void {
    keep({ folder: this.folder, revision: this.revision, document: this.document })
    if (this.state === 'changed') return
    this.state = 'waiting'
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.save(), REST)
  }

  /** Until the server has what is shown, or says no. */
  async save(): Promise<void> {
    clearTimeout(this.timer)
    if (this.isBusy || this.state === 'saved' || this.state === 'changed') return
    this.isBusy = true
    const sent = this.document
    this.state = 'saving'
    try {
      this.heard(await ask<Saved>('PUT', '', JSON.stringify({ document: sent, revision: this.revision })))
      if (this.document === sent) forget()
      this.state = this.document === sent ? 'saved' : 'waiting'
    } catch (error) {
      this.state = stateAfter(error)
      if (this.state === 'offline') this.timer = setTimeout(() => void this.save(), AGAIN)
    }
    this.isBusy = false
    if ((this.state as SaveState) === 'waiting') void this.save()
  }

  /** Save now, and wait until that is done or cannot be. */
  async settle(): Promise<void> {
    while (this.isBusy || this.state === 'waiting') {
      await this.save()
      if (this.isBusy) await new Promise((wake) => setTimeout(wake, 30))
    }
  }

  /** After somebody else's change: write this document over it. */
  async keepMine(): Promise<void> {
    this.revision = (await ask<Edited>('GET')).revision
    this.state = 'waiting'
    await this.save()
  }

  /** After somebody else's change: go on with theirs. This one can still be brought back. */
  async takeTheirs(): Promise<void> {
    this.take(await ask<Edited>('GET'))
    forget()
  }

  /** What is wrong with one thing. */
  wrongAt(kind: Problem['kind'], index: number): Problem[] {
    return this.problems.filter((one) => one.kind === kind && one.index === index)
  }

  wrongSetting(path: string): Problem[] {
    return this.problems.filter(({ setting }) => setting === path)
  }
}

function stateAfter(error: unknown): SaveState {
  const code = error instanceof Refused ? error.code : 'failed'
  if (code === 'board_changed') return 'changed'
  return ['malformed', 'bad_board', 'too_large', 'not_editor', 'not_found'].includes(code) ? 'refused' : 'offline'
}

function keep(pending: Pending): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(pending))
  } catch {
    // it is saved on the server a moment later
  }
}

function forget(): void {
  localStorage.removeItem(KEPT_AS)
}

function unsaved(): Pending | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null') as Pending | null
  } catch {
    return null
  }
}
