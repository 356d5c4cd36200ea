import type { InputType } from '../../base/types.ts'

/** Bytes at a file's end in which its end mark is searched for. Cameras and editors append some bytes of their own. */
const TAIL = 4096

/**
 * Tests for the end of a file, by type. They are used because the messages of decoders differ from one attempt to the
 * next.
 */
const ENDS: Readonly<Partial<Record<InputType, (source: Buffer) => boolean>>> = {
  // EOI (ITU-T T.81 B.1.1.3)
  'image/jpeg': (source) => hasAtEnd(source, Buffer.from([0xff, 0xd9])),
  // IEND and its checksum (PNG, third edition, 11.2.5)
  'image/png': (source) => hasAtEnd(source, Buffer.from('IEND\xae\x42\x60\x82', 'latin1')),
  // The size in a RIFF header counts all bytes after it (RFC 9649, section 2.4).
  'image/webp': (source) => source.length >= 12 && source.readUInt32LE(4) + 8 <= source.length,
  // The trailer (GIF89a, section 27) is a byte that may occur anywhere, so only zeros may follow it.
  'image/gif': (source) => source[source.findLastIndex((byte) => byte !== 0)] === 0x3b,
  // Most programs write the directory, to which the header points, behind the pixels.
  'image/tiff': (source) => source.length >= 8 && (isBigTiff(source) || directoryAt(source) < source.length),
  // The second field of the header is the size of the file.
  'image/bmp': (source) => source.length >= 14 && source.readUInt32LE(2) <= source.length,
}

/** Returns `true` if a file that cannot be decoded ends too early; `false` if its type has no test. */
export function isCutOff(source: Uint8Array, type: InputType): boolean {
  const hasEnd = ENDS[type]
  return hasEnd !== undefined && !hasEnd(Buffer.from(source.buffer, source.byteOffset, source.length))
}

const isBigTiff = (source: Buffer): boolean => source.subarray(2, 4).includes(43)

const directoryAt = (source: Buffer): number => (source[0] === 0x49 ? source.readUInt32LE(4) : source.readUInt32BE(4))

const hasAtEnd = (source: Buffer, mark: Buffer): boolean => source.subarray(-TAIL).lastIndexOf(mark) !== -1
