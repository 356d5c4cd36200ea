import type { InputType } from '../../base/types.ts'

/** Bytes at a file's end in which its last mark is looked for: cameras and editors write some of their own behind it. */
const TAIL = 4096

/** How files of a type end. What decoders say of it differs from one attempt to the next. */
const ENDS: Readonly<Partial<Record<InputType, (source: Buffer) => boolean>>> = {
  // EOI (ITU-T T.81 B.1.1.3)
  'image/jpeg': (source) => hasAtEnd(source, Buffer.from([0xff, 0xd9])),
  // IEND and its checksum (PNG, third edition, 11.2.5)
  'image/png': (source) => hasAtEnd(source, Buffer.from('IEND\xae\x42\x60\x82', 'latin1')),
  // The size of a RIFF file is that of all behind it (RFC 9649 section 2.4).
  'image/webp': (source) => source.length >= 12 && source.readUInt32LE(4) + 8 <= source.length,
  // The trailer (GIF89a section 27). One byte may stand anywhere by chance: behind it are zeros at most.
  'image/gif': (source) => source[source.findLastIndex((byte) => byte !== 0)] === 0x3b,
}

/** Whether a file that cannot be decoded ends too early; `false` where its type does not tell. */
export function isCutOff(source: Uint8Array, type: InputType): boolean {
  const hasEnd = ENDS[type]
  return hasEnd !== undefined && !hasEnd(Buffer.from(source.buffer, source.byteOffset, source.length))
}

const hasAtEnd = (source: Buffer, mark: Buffer): boolean => source.subarray(-TAIL).lastIndexOf(mark) !== -1
