/** Colour spaces as numbers of a table, as several formats name them. Source: ITU-T H.273 tables 2 and 3. */
import type { ColourSpace } from './colour-space.ts'
import { DISPLAY_P3, SRGB } from './colour-space.ts'

/** The difference up to which two chromaticities count as the same. */
const SAME_CHROMATICITY = 0.005

/** Primaries of H.273 table 2 that screens and cameras use; 1 is sRGB's. */
const PRIMARIES: ReadonlyMap<number, Omit<ColourSpace, 'transfer'>> = new Map([
  [1, SRGB],
  [9, { ...SRGB, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] }],
  [12, DISPLAY_P3],
])

/**
 * Transfer functions of H.273 table 3 for pictures of ordinary range. Those of television (1, 6, 14, 15) are shown like
 * sRGB's by browsers; those of high dynamic range are not among them.
 */
const TRANSFERS: ReadonlyMap<number, ColourSpace['transfer']> = new Map<number, ColourSpace['transfer']>([
  [1, 'srgb'],
  [4, 2.2],
  [5, 2.8],
  [6, 'srgb'],
  [8, 1],
  [13, 'srgb'],
  [14, 'srgb'],
  [15, 'srgb'],
])

/** `undefined` for numbers of spaces that are not known here, those of high dynamic range among them. */
export function spaceOfCodePoints(primaries: number, transfer: number): ColourSpace | undefined {
  const gamut = PRIMARIES.get(primaries)
  const curve = TRANSFERS.get(transfer)
  return gamut === undefined || curve === undefined ? undefined : { ...gamut, transfer: curve }
}

/** An image whose colours reach beyond what results can have. */
export interface BeyondScreens {
  /** What it is called, with an article. */
  readonly kind: string
  /** One sentence that tells a person why it stays. */
  readonly note: string
  /** Whether it can be brought to ordinary colours where a change is asked for. */
  readonly changeable: boolean
}

/** Transfer functions of high dynamic range in H.273 table 3. */
const HDR_TRANSFERS: ReadonlyMap<number, string> = new Map([
  [16, 'PQ'],
  [18, 'HLG'],
])

const BT2020_PRIMARIES = 9

/**
 * What is not brought to sRGB or Display P3 unasked: high dynamic range, whose tones nobody has chosen for ordinary screens,
 * and BT.2020, whose colours beyond Display P3 would be lost. `undefined` for all other colours.
 */
export function beyondScreens(primaries: number, transfer: number): BeyondScreens | undefined {
  const curve = HDR_TRANSFERS.get(transfer)
  if (curve !== undefined) {
    const note = `An image of high dynamic range (${curve}) is passed through as it is, so that its brightness stays.`
    return { kind: `an image of high dynamic range (${curve})`, note, changeable: false }
  }
  if (primaries !== BT2020_PRIMARIES) return undefined
  const note = 'An image in the colours of BT.2020 is passed through as it is, so that they stay.'
  return { kind: 'an image in the colours of BT.2020', note, changeable: true }
}

/** Whether a colour space shows what sRGB shows. */
export function isSrgb(space: ColourSpace): boolean {
  return (
    space.transfer === 'srgb' &&
    (['red', 'green', 'blue', 'white'] as const).every((name) =>
      space[name].every((value, index) => Math.abs(value - SRGB[name][index]!) < SAME_CHROMATICITY),
    )
  )
}
