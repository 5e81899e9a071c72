/** What is shown on the board beyond its own state. */
export interface Highlight {
  routes?: string[]
  cities?: string[]
  /** `ticket`: places to be joined; `log`: what a line of the log is about; `path`: a path that counts; `hint`: what an adviser would do. */
  tone: 'ticket' | 'log' | 'path' | 'hint'
  /** Whose it is. */
  seat?: number
}

export interface Pointed {
  route?: string
  city?: string
}
