import type { Extras } from '../../encoding/codec.ts'
import { parseBoxes } from '../../metadata/isobmff.ts'
import { parseAvif } from './metadata-items.ts'

/** An item that says how a gain map is applied (ISO/IEC 23008-12, AVIF 1.2 section 4.2.2). */
const TONE_MAP = 'tmap'

/** The box of content credentials, by its number (C2PA 2.1, annex A.5). */
const CREDENTIALS = 'd8fec3d61b0e483c92975828877ec481'
const NUMBER_BYTES = 16

/** Finds what an AVIF has besides its picture. No encoder at hand writes a gain map into an AVIF. */
export function avifExtras(source: Uint8Array): Extras {
  const hasMap = parseAvif(source)?.items.some(({ type }) => type === TONE_MAP) === true
  const hasCredentials = parseBoxes(source, 0, source.length).some(
    ({ type, content }) =>
      type === 'uuid' && Buffer.from(source.subarray(content, content + NUMBER_BYTES)).toString('hex') === CREDENTIALS,
  )
  return { ...(hasMap && { gainMap: {} }), pictures: 0, hasCredentials }
}
