import type { AvifOptions } from 'sharp'
import type { Effort } from '../../base/types.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Curve } from '../../encoding/search.ts'
import { AVIF_DRAWING, AVIF_FLAT, AVIF_PHOTOGRAPH, avifStep } from './curves.ts'

/**
 * The kind of picture that decides libaom's settings: `flat` is an opaque drawing with one colour in at least half of
 * its blocks. Muted photographs are among both.
 */
export type Kind = 'photograph' | 'drawing' | 'flat'

interface Way {
  /** libaom's effort of a result. */
  readonly effort: Readonly<Record<Effort, number>>
  /** libaom's effort of probes, which only much effort has. */
  readonly probe: number
  /** The metric that libaom distributes its bits by. Default: sharp's own choice, `iq`. */
  readonly tune?: AvifOptions['tune']
  /** Bits of an opaque picture. */
  readonly bits: Readonly<Record<Effort, 8 | 10>>
  /** Points by which other readers may show 8 bits worse than the score says. */
  readonly shownWorse: number
  readonly curve: Curve
  /** Points that an effort scores above the curve at the same setting. */
  readonly gains: Readonly<Record<number, number>>
  /**
   * Points that 8 bits score above the curve, and a little more, as a first result above the target may do and one
   * below never does.
   */
  readonly gainOf8Bits: Readonly<Record<Effort, number>>
}

/**
 * Effort, measured on photographs at a score of 80: effort 2 takes 3 % fewer bytes than 1 in 1.6 times the time, effort
 * 3 takes 6 % fewer in 2.6 times, effort 0 takes 10 % more in a third of the time. Drawings need more: below 2 they
 * take up to twice the bytes where guards find damage.
 *
 * Bits: photographs of 8 bits take 3 % more bytes than of 10, and two thirds of the time and memory, as they are
 * quicker to decode as well. Over 42 results, other readers show 8 bits up to 0.25 points worse than the score says;
 * for drawings and small pictures up to 0.8.
 *
 * Flat drawings: over 16 crops that keep the score and the guards, 15 took 5 to 40 % fewer bytes with `ssim`, effort 3
 * and 8 bits than as drawings; some other drawings took up to a quarter more.
 */
export const WAYS: Readonly<Record<Kind, Way>> = {
  photograph: {
    effort: { fast: 0, default: 1, max: 4 },
    probe: 1,
    bits: { fast: 8, default: 8, max: 10 },
    shownWorse: 0.25,
    curve: AVIF_PHOTOGRAPH,
    gains: { 0: -1, 3: 1.5, 4: 0.5 },
    gainOf8Bits: { fast: -1, default: -1.5, max: -2 },
  },
  drawing: {
    effort: { fast: 1, default: 2, max: 4 },
    probe: 2,
    bits: { fast: 10, default: 10, max: 10 },
    shownWorse: 0.8,
    curve: AVIF_DRAWING,
    gains: { 2: 1, 4: 1.5 },
    gainOf8Bits: { fast: 0, default: 0, max: 0 },
  },
  flat: {
    effort: { fast: 1, default: 3, max: 4 },
    probe: 3,
    tune: 'ssim',
    bits: { fast: 8, default: 8, max: 8 },
    shownWorse: 0.8,
    curve: AVIF_FLAT,
    gains: {},
    gainOf8Bits: { fast: 0, default: 0, max: 0 },
  },
}

/**
 * Returns the score that the typical picture reaches at each setting, by the setting's place in `AVIF_SETTINGS`. @param
 * more points that are added to each
 */
export function typicalCurve(kind: Kind, effort: number, more = 0): Curve {
  const way = WAYS[kind]
  const gain = (way.gains[effort] ?? 0) + more
  return way.curve.map(([quality, score]) => [avifStep(quality), score + gain] as const)
}

/** Pixels from which a flat drawing is encoded with an effort less. */
const LARGE_FLAT = 1_000_000

/**
 * Returns libaom's effort of a result. Over 7 flat drawings of more than a megapixel, effort 2 took the bytes of effort
 * 3, within 3 %, in two thirds of the time; smaller ones took up to a third more bytes.
 */
export function libaomEffortOf(kind: Kind, { width, height }: Picture, effort: Effort): number {
  const isLarge = kind === 'flat' && effort === 'default' && width * height >= LARGE_FLAT
  return WAYS[kind].effort[effort] - (isLarge ? 1 : 0)
}

/**
 * With little effort there is no time for the effort that flat drawings need. Muted photographs are encoded like
 * drawings, as 8 bits show steps on faint slopes: of eight, six took 5 to 13 % fewer bytes than as photographs, in 1.8
 * times the time.
 */
export function kindOf(picture: Picture, effort: Effort): Kind {
  if (!picture.graphic && !picture.muted) return 'photograph'
  return effort !== 'fast' && picture.channels === 3 && isFlat(picture) ? 'flat' : 'drawing'
}

const BLOCK = 8
const MANY_BLOCKS = 0.5

/** Tells whether at least half of the blocks of 8 × 8 pixels have one colour. */
export function isFlat({ data, width, height, channels }: Picture): boolean {
  const across = Math.floor(width / BLOCK)
  const down = Math.floor(height / BLOCK)
  let flat = 0
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      if (isOneColour(data, (y * BLOCK * width + x * BLOCK) * channels, width * channels, channels)) flat++
    }
  }
  return flat > 0 && flat >= MANY_BLOCKS * across * down
}

function isOneColour(data: Uint8Array, from: number, rowBytes: number, channels: number): boolean {
  for (let row = 0; row < BLOCK; row++) {
    const start = from + row * rowBytes
    for (let at = 0; at < BLOCK * channels; at++) {
      if (data[start + at] !== data[from + (at % channels)]) return false
    }
  }
  return true
}
