/**
 * The mark of our lossy results in AVIF: the minor version in `ftyp`, which every file has, no reader decides by, and
 * libheif, libavif and others leave 0. Sources: ISO/IEC 14496-12 section 4.3 ("informative"); AV1 Image File Format,
 * section 6.
 */
import { ascii, hasAscii } from '../../metadata/bytes.ts'
import type { Mark } from '../../encoding/codec.ts'

/** Three bytes; the promise is the fourth. */
const OURS = 'pxp'

/** Offset of the minor version: it follows the size, `ftyp` and the major brand. */
const MINOR_VERSION = 12

/** Marks a result in the minor version of `ftyp`. */
export const AVIF_MARK: Mark = {
  write(data, promise) {
    if (!hasAscii(data, 4, 'ftyp')) return data
    const marked = data.slice()
    marked.set([...ascii(OURS), promise], MINOR_VERSION)
    return marked
  },
  read(source) {
    if (!hasAscii(source, 4, 'ftyp') || !hasAscii(source, MINOR_VERSION, OURS)) return undefined
    const promise = source[MINOR_VERSION + OURS.length]!
    return promise >= 1 && promise <= 100 ? promise : undefined
  },
}
