/** Colour spaces as numbers of a table, as several formats name them. Source: ITU-T H.273 tables 2 and 3. */
import type { Chromaticity, ColourSpace } from './colour-space.ts'
import { DISPLAY_P3, SRGB } from './colour-space.ts'

/** The difference up to which two chromaticities count as the same. */
const SAME_CHROMATICITY = 0.005

type Gamut = Omit<ColourSpace, 'transfer'>

const C: Chromaticity = [0.31, 0.316]
const NTSC = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: SRGB.white } as const

/** Primaries of H.273 table 2; 1 is sRGB's. */
const PRIMARIES: ReadonlyMap<number, Gamut> = new Map<number, Gamut>([
  [1, SRGB],
  [4, { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: C }],
  [5, { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: SRGB.white }],
  [6, NTSC],
  [7, NTSC],
  [8, { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: C }],
  [9, { ...SRGB, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] }],
  [11, { ...DISPLAY_P3, white: [0.314, 0.351] }],
  [12, DISPLAY_P3],
  [22, { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: SRGB.white }],
])

/** Several code points stand for the curve of television. Browsers treat it differently from format to format. */
type Transfer = ColourSpace['transfer'] | 'television'

/**
 * Transfer functions of H.273 table 3 for pictures of ordinary range; those of high dynamic range are not among them.
 */
const TRANSFERS: ReadonlyMap<number, Transfer> = new Map<number, Transfer>([
  [1, 'television'],
  [4, 2.2],
  [5, 2.8],
  [6, 'television'],
  [8, 1],
  [13, 'srgb'],
  [14, 'television'],
  [15, 'television'],
])

/**
 * Returns `undefined` for numbers of spaces that are not known here, those of high dynamic range among them.
 * @param television what browsers take the curve of television for in the format
 */
export function spaceOfCodePoints(
  primaries: number,
  transfer: number,
  television: ColourSpace['transfer'],
): ColourSpace | undefined {
  const gamut = PRIMARIES.get(primaries)
  const curve = TRANSFERS.get(transfer)
  if (gamut === undefined || curve === undefined) return undefined
  return { ...gamut, transfer: curve === 'television' ? television : curve }
}

/** An image whose colours reach beyond what results can have. */
export interface BeyondScreens {
  /** The name of the colours, with an article. */
  readonly kind: string
  /** One sentence that tells a person why it stays. */
  readonly note: string
  /** The colours can be converted to ordinary ones where a change is asked for. */
  readonly changeable: boolean
}

/** Transfer functions of high dynamic range in H.273 table 3. */
const HDR_TRANSFERS: ReadonlyMap<number, string> = new Map([
  [16, 'PQ'],
  [18, 'HLG'],
])

const BT2020_PRIMARIES = 9

/**
 * Returns the colours that are not converted to sRGB or Display P3 unasked: high dynamic range, whose tones nobody has
 * chosen for ordinary screens, and BT.2020, whose colours beyond Display P3 would be lost. `undefined` for all other
 * colours.
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

/** Tells whether a colour space shows the same as sRGB. */
export function isSrgb(space: ColourSpace): boolean {
  return (
    space.transfer === 'srgb' &&
    (['red', 'green', 'blue', 'white'] as const).every((name) =>
      space[name].every((value, index) => Math.abs(value - SRGB[name][index]!) < SAME_CHROMATICITY),
    )
  )
}
