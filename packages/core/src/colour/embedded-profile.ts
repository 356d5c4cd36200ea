/** Interprets an embedded ICC profile for the samples beside it, by the rules of Chromium. */
import { asciiAt } from '../metadata/bytes.ts'
import { readMatrixProfile } from './matrix-profile.ts'
import type { MatrixProfile } from './matrix-profile.ts'
import { readTableProfile } from './table-profile.ts'
import type { TableProfile } from './table-profile.ts'

/** The kind of samples in a file, before any profile. */
export type SampleKind = 'grey' | 'rgb' | 'cmyk'

/** The meaning of a profile for the samples beside it. */
export type ProfileMeaning =
  /** Each sample has its light, and there are three kinds of it. */
  | { readonly kind: 'matrix'; readonly profile: MatrixProfile }
  /** Colours are looked up. */
  | { readonly kind: 'tables'; readonly profile: TableProfile }

/** The kinds of samples that a profile may speak of. Grey samples are three that are equal. */
const FITTING: Readonly<Record<string, readonly SampleKind[]>> = {
  GRAY: ['grey'],
  'RGB ': ['rgb', 'grey'],
  CMYK: ['cmyk'],
}

/**
 * Interprets a profile; `undefined` where browsers ignore the profile, and the samples are sRGB: it is damaged, or of
 * another kind of samples, or it gives lightness (L*) of grey.
 */
export function meaningOf(profile: Uint8Array, samples: SampleKind): ProfileMeaning | undefined {
  if (FITTING[asciiAt(profile, 16, 4)]?.includes(samples) !== true) return undefined
  const tables = readTableProfile(profile)
  if (tables !== undefined) return { kind: 'tables', profile: tables }
  const matrix = readMatrixProfile(profile)
  return matrix && { kind: 'matrix', profile: matrix }
}
