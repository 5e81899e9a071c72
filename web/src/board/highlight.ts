/** What is shown on the board beyond its own state. */
export interface Highlight {
  routes?: string[]
  cities?: string[]
  /** `ticket`: places to be joined; `log`: what a line of the log is about; `path`: a path that counts; `hint`: what an adviser would do. */
  tone: 'ticket' | 'log' | 'path' | 'hint'
  /** Whose it is. */
  seat?: number
  /** One of the viewer's tickets: its way is shown. */
  ticket?: string
}

/** A route or a city. */
export interface Pointed {
  route?: string
  city?: string
}

/** A route, by its id or by its place in the list of the game's routes. */
export type RouteRef = string | number

/** The way of a ticket that is pointed at: what I own of it, what is free, and what rivals have closed. */
export interface TicketWay {
  own: RouteRef[]
  free: RouteRef[]
  closed: RouteRef[]
  /** The places that it joins. */
  cities?: string[]
  /** It has just been completed: a light runs along it. */
  isDone?: boolean
}

/** What a question on the screen is about. */
export interface Marked extends Pointed {
  /** A light runs through it, while its cards are turned up. */
  isRunning?: boolean
}

/** How brightly a claimable route is lit: `ticket` if it serves one of my tickets, `other` if not. */
export type Light = 'ticket' | 'other'

/** A rival's last move. */
export interface Recent extends Pointed {
  seat: number
}
