import type { CodecFor, Header, Unsupported } from '../../encoding/codec.ts'
import { readExif } from '../../metadata/exif-read.ts'
import { readDirectory, TIFF_TAG } from './directory.ts'

/** Ways in which the pixels can mean colours (TIFF 6.0, `PhotometricInterpretation`). */
const COLOURS: Readonly<Record<number, string | undefined>> = {
  0: undefined,
  1: undefined,
  2: undefined,
  3: undefined,
  5: undefined,
  6: undefined,
  8: 'in Lab colours',
  9: 'in Lab colours',
  10: 'in Lab colours',
}

/** The most channels: colours, or inks, and transparency. */
const MOST_CHANNELS = 4

/**
 * The codec of TIFF, which libvips decodes: the first page, upright. The file is a structure of EXIF itself, from which
 * copyright, time and place are read.
 */
export const tiff: CodecFor<'tiff'> = {
  hasPages: true,
  claimedSize(source) {
    const directory = readDirectory(source)
    // A size of nothing is damage, which libvips would call a kind of file that it does not know.
    const [width = 0] = directory?.values(TIFF_TAG.width) ?? []
    const [height = 0] = directory?.values(TIFF_TAG.height) ?? []
    return { width, height }
  },
  probeUnread: probeUnsupported,
  unsupported: unsupportedTiff,
  // A page of text takes few bytes with the compression of fax machines.
  mostTightPixels: 100_000_000,
  readMetadata: (source) => readExif(source).metadata,
  // No Chromium shows TIFF. The reader of EXIF knows no BigTIFF, so the directory is read.
  readOrientation(source) {
    const [value = 1, ...more] = readDirectory(source)?.values(TIFF_TAG.orientation) ?? []
    return more.length === 0 && value >= 1 && value <= 8 ? value : 1
  },
  extras: (source) => ({ pictures: Math.max(0, (readDirectory(source)?.pages ?? 1) - 1), hasCredentials: false }),
}

/** Reads the header of a kind that libvips refuses, and that is told by its name. */
function probeUnsupported(source: Uint8Array): Header | undefined {
  const directory = readDirectory(source)
  if (directory === undefined || unsupportedTiff(source) === undefined) return undefined
  const [width = 0] = directory.values(TIFF_TAG.width)
  const [height = 0] = directory.values(TIFF_TAG.height)
  const [depth = 8] = directory.values(TIFF_TAG.bits)
  return { width, height, hasAlpha: false, frames: 1, depth }
}

/** Names kinds of pixels that are not what a screen shows, or that libvips gives otherwise than they are meant. */
function unsupportedTiff(source: Uint8Array): Unsupported | undefined {
  const directory = readDirectory(source)
  if (directory === undefined) return undefined
  const { values } = directory
  // Cameras put a small preview first, and their own pixels behind it.
  const isPreview = ((values(TIFF_TAG.subfile)[0] ?? 0) & 1) === 1
  if (isPreview || values(TIFF_TAG.dngVersion).length > 0) return stays('a raw photograph of a camera')
  const photometric = values(TIFF_TAG.photometric)[0] ?? 1
  if (!(photometric in COLOURS)) return stays('a TIFF whose colours browsers do not know')
  const colours = COLOURS[photometric]
  if (colours !== undefined) return stays(`a TIFF ${colours}`)
  const samples = values(TIFF_TAG.samples)[0] ?? 1
  if (samples > MOST_CHANNELS) return stays(`a TIFF of ${samples} channels`)
  const bits = values(TIFF_TAG.bits)
  const deepest = Math.max(...(bits.length === 0 ? [1] : bits))
  // 4 says that the format is not known; most programs mean whole numbers by it.
  const isWhole = values(TIFF_TAG.sampleFormat).every((format) => format === 1 || format === 4)
  if (!isWhole || deepest > 16)
    return stays(`a TIFF with samples of ${deepest} bits${isWhole ? '' : ' and fractions or signs'}`)
  return undefined
}

function stays(kind: string): Unsupported {
  return { kind, note: `${kind.replace('a', 'A')} is passed through as it is.` }
}
