/** The sounds of the table, and what phones let one feel. */
import { moves, prefs } from '../state/prefs.svelte'
import { hiss, play, type Note } from './synth'

const PIECE_EVERY = 0.11 // seconds, as pieces are set down
const MINOR_THIRD = 2 ** (3 / 12)

/** A card slides over the table. */
export function slide(after = 0): void {
  hiss(prefs.volume, { after, lasts: 0.06, around: 3_200 })
}

/** A card is turned up. */
export function turnCard(): void {
  hiss(prefs.volume, { lasts: 0.07, around: 2_400 })
  sound({ pitch: 900, to: 500, after: 0.05, lasts: 0.03, loud: 0.12, shape: 'triangle' })
}

/** Pieces are set down one by one, each a little higher. */
export function setDown(pieces: number): void {
  const apart = moves() ? PIECE_EVERY : 0.04
  for (let piece = 0; piece < pieces; piece++) {
    const [after, pitch] = [piece * apart, 180 + 30 * piece]
    sound({ pitch, to: pitch * 0.8, after, lasts: 0.11, loud: 0.4, shape: 'triangle', below: 1_400 })
    hiss(prefs.volume, { after, lasts: 0.025, loud: 0.15, around: 1_100 })
  }
  feel(10)
}

/** A card that a tunnel wants matches. */
export function match(): void {
  sound({ pitch: 90, to: 70, lasts: 0.45, loud: 0.6, shape: 'triangle' })
  feel(30)
}

export function through(): void {
  sound({ pitch: 523, lasts: 0.25 }, { pitch: 784, after: 0.14, lasts: 0.4 })
}

/** A steam whistle: a ticket is done. */
export function whistle(): void {
  for (const after of [0, 0.34])
    sound(...[740, 740 * MINOR_THIRD].map((pitch) => ({ pitch: pitch * 0.97, to: pitch, after, lasts: after ? 0.7 : 0.28, loud: 0.16, shape: 'triangle' as const })))
  hiss(prefs.volume, { lasts: 0.9, loud: 0.05, around: 4_500 })
}

/** One bell: your turn. */
export function bell(): void {
  sound({ pitch: 1_047, lasts: 0.9, loud: 0.22 }, { pitch: 2_794, lasts: 0.35, loud: 0.06 })
  feel(20)
}

/** A ticket is cut off. */
export function cutOff(): void {
  sound({ pitch: 262, lasts: 0.35, shape: 'triangle', below: 500 }, { pitch: 196, after: 0.22, lasts: 0.6, shape: 'triangle', below: 400 })
}

export function end(): void {
  ;[523, 659, 784, 1_047].forEach((pitch, place) => sound({ pitch, after: 0.17 * place, lasts: place === 3 ? 1.3 : 0.35, shape: 'triangle' }))
}

function sound(...notes: Note[]): void {
  for (const note of notes) play(prefs.volume, note)
}

/** Vibrates phones, except for people who want things to keep still. */
function feel(milliseconds: number): void {
  if (prefs.touch && moves() && matchMedia('(pointer: coarse)').matches) navigator.vibrate?.(milliseconds)
}
