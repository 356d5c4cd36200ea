/** Tells files apart by data that stands in no place of its own. The functions never throw. */
import { hasAscii, uint16, uint32 } from '../../metadata/bytes.ts'
import { readDirectory } from '../tiff/directory.ts'

const latin1 = (source: Uint8Array, start = 0, end = source.length): string =>
  Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString('latin1', start, end)

/** Tells whether a file has a text anywhere. */
export const holds = (source: Uint8Array, text: string): boolean => latin1(source).includes(text)

/** Yields the segments in front of the scan of a JPEG: marker, start of content, end. */
function* headerOf(jpeg: Uint8Array): Generator<readonly [marker: number, start: number, end: number], void, void> {
  for (let at = 2; jpeg[at] === 0xff && at + 4 <= jpeg.length;) {
    const marker = jpeg[at + 1]!
    if (marker === 0xda || marker === 0xff) return
    const end = at + 2 + uint16(jpeg, at + 2)
    if (end <= at + 2 || end > jpeg.length) return
    yield [marker, at + 4, end]
    at = end
  }
}

/** Tells whether metadata in the header of a JPEG has a text. */
export function mentions(jpeg: Uint8Array, text: string): boolean {
  for (const [marker, start, end] of headerOf(jpeg)) {
    if (marker === 0xe1 && latin1(jpeg, start, end).includes(text)) return true
  }
  return false
}

const MOTION = /(?:GCamera|Camera):(?:MicroVideo|MotionPhoto)\s*(?:=\s*["']|>)\s*1/

/** Tells whether a JPEG has a video behind its picture. */
export function hasMotion(jpeg: Uint8Array): boolean {
  if (latin1(jpeg, jpeg.length - 4) === 'SEFT') return true
  for (const [marker, start, end] of headerOf(jpeg)) {
    if (marker === 0xe1 && MOTION.test(latin1(jpeg, start, end))) return true
  }
  return false
}

/** Texts that ComfyUI and others begin a field of EXIF with, and that image generators end their settings with. */
const PROMPT = /(?:^|[\0\s])(?:workflow|prompt):\s?\{|Steps: \d+, Sampler: /i

/** Tells whether EXIF of a JPEG or WebP has the prompt of an image generator. */
export function hasPrompt(source: Uint8Array): boolean {
  // Texts of two bytes a character are read as if they had one.
  const isPrompt = (start: number, end: number): boolean => {
    const text = latin1(source, start, end)
    return PROMPT.test(text) || PROMPT.test(text.replaceAll('\0', ''))
  }
  if (source[0] === 0xff) {
    for (const [marker, start, end] of headerOf(source)) {
      if (marker === 0xe1 && hasAscii(source, start, 'Exif\0') && isPrompt(start, end)) return true
    }
    return false
  }
  for (let at = 12; at + 8 <= source.length;) {
    const end = at + 8 + uint32(source, at + 4, true)
    if (hasAscii(source, at, 'EXIF')) return isPrompt(at + 8, end)
    at = end + (end % 2)
  }
  return false
}

/** The size of a cartridge of PICO-8, and the kind of PNG that it is. */
export function isCartridge(png: Uint8Array): boolean {
  return uint32(png, 16) === 160 && uint32(png, 20) === 205 && png[24] === 8 && png[25] === 6
}

/** The end record of a ZIP file has 22 bytes and at most a comment of 64 kB. */
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const MOST_BEHIND = 22 + 65_535

/** Tells whether a file ends as a ZIP file does. */
export function endsAsZip(source: Uint8Array): boolean {
  const tail = Buffer.from(source.buffer, source.byteOffset, source.byteLength).subarray(-MOST_BEHIND)
  const at = tail.lastIndexOf(ZIP_END)
  if (at < 0 || at + 22 > tail.length) return false
  return at + 22 + tail.readUInt16LE(at + 20) === tail.length
}

/** Tags of GeoTIFF (OGC 19-008r4), GDAL, and of the slides of Hamamatsu. */
const GEO_TAGS: readonly number[] = [33_550, 33_922, 34_264, 34_735, 42_112, 42_113, 65_420, 65_421, 65_439]

/** Tells whether a TIFF has keys of maps or slides. */
export function hasGeoKeys(tiff: Uint8Array): boolean {
  const directory = readDirectory(tiff)
  return directory !== undefined && GEO_TAGS.some((tag) => directory.has(tag))
}

/** Tells whether a JPEG has four inks, or the profile of a printer. */
export function isForPrint(jpeg: Uint8Array): boolean {
  for (const [marker, start] of headerOf(jpeg)) {
    // A frame's header: precision, height, width, components.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame && jpeg[start + 5] === 4) return true
    const isProfile = marker === 0xe2 && hasAscii(jpeg, start, 'ICC_PROFILE\0') && jpeg[start + 12] === 1
    // The class of a profile (ICC.1:2022 section 7.2.5).
    if (isProfile && hasAscii(jpeg, start + 14 + 12, 'prtr')) return true
  }
  return false
}
