/** Sounds made from oscillators and noise. Nothing sounds before the first gesture: browsers would refuse it, and people would be startled. */

let context: AudioContext | null = null
let output: GainNode | null = null
let noise: AudioBuffer | null = null

/** After a gesture, once. */
export function wake(): void {
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
}

export function isAwake(): boolean {
  return context !== null
}

export interface Note {
  /** Hertz at the beginning. */
  pitch: number
  /** Hertz at the end, if it glides. */
  to?: number
  /** Seconds from now. */
  after?: number
  /** Seconds until it has faded. */
  lasts: number
  loud?: number
  shape?: OscillatorType
  /** Hertz above which it is muffled. */
  below?: number
}

export interface Hiss {
  after?: number
  lasts: number
  loud?: number
  /** The middle of its band in Hertz. */
  around: number
}

/** The way to the loudspeaker, with the volume that a person chose. */
function way(volume: number): [AudioContext, GainNode] | null {
  if (!context || volume <= 0) return null
  if (!output) {
    output = context.createGain()
    output.connect(context.destination)
  }
  output.gain.value = volume
  return [context, output]
}

/** A gain that rises at once and fades: nothing clicks. */
function fading(audio: AudioContext, at: number, lasts: number, loud: number): GainNode {
  const gain = audio.createGain()
  gain.gain.setValueAtTime(0.0001, at)
  gain.gain.exponentialRampToValueAtTime(loud, at + Math.min(0.008, lasts / 4))
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts)
  return gain
}

export function play(volume: number, { pitch, to, after = 0, lasts, loud = 0.3, shape = 'sine', below }: Note): void {
  const found = way(volume)
  if (!found) return
  const [audio, out] = found
  const at = audio.currentTime + after
  const tone = audio.createOscillator()
  tone.type = shape
  tone.frequency.setValueAtTime(pitch, at)
  if (to) tone.frequency.exponentialRampToValueAtTime(to, at + lasts)
  const filter = audio.createBiquadFilter()
  filter.type = 'lowpass'
  filter.frequency.value = below ?? 12_000
  tone.connect(filter).connect(fading(audio, at, lasts, loud)).connect(out)
  tone.start(at)
  tone.stop(at + lasts)
}

export function hiss(volume: number, { after = 0, lasts, loud = 0.25, around }: Hiss): void {
  const found = way(volume)
  if (!found) return
  const [audio, out] = found
  const at = audio.currentTime + after
  const source = audio.createBufferSource()
  source.buffer = noise ??= whiteNoise(audio)
  const filter = audio.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = around
  filter.Q.value = 0.8
  source.connect(filter).connect(fading(audio, at, lasts, loud)).connect(out)
  source.start(at, Math.random() * 0.5, lasts)
}

function whiteNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let place = 0; place < samples.length; place++) samples[place] = 2 * Math.random() - 1
  return buffer
}
