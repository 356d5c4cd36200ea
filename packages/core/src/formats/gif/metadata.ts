/** GIF: a header, then blocks. Sources: GIF89a specification; XMP Specification Part 3 section 1.1.2. */
import { asciiAt, concatBytes, hasAscii } from '../../metadata/bytes.ts'
import type { Metadata } from '../../metadata/types.ts'
import { readXmp } from '../../metadata/xmp.ts'

/** The bytes that blocks begin with. */
export const BLOCK: Readonly<Record<'image' | 'extension' | 'trailer', number>> = {
  image: 0x2c,
  extension: 0x21,
  trailer: 0x3b,
}
/** The labels of extensions. */
export const EXTENSION: Readonly<Record<'text' | 'control' | 'comment' | 'application', number>> = {
  text: 0x01,
  control: 0xf9,
  comment: 0xfe,
  application: 0xff,
}

/** Application extensions that make an animation loop. */
const LOOPING: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])
const XMP_APPLICATION = 'XMP DataXMP'
const CREDENTIALS_APPLICATION = 'C2PA_GIF\x01\0\0'

/** Blocks of one file that are looked at. An animation has two for each frame. */
const MOST_BLOCKS = 262_144

/** A block of a GIF file. */
export interface Block {
  kind: number
  /** The label of an extension. */
  label: number
  start: number
  end: number
}

/** Returns where the blocks begin: behind the header, the screen descriptor and the global colour table. */
export function headerSize(data: Uint8Array): number {
  return 13 + colorTableSize(data[10] ?? 0)
}

/** Returns the bytes of the colour table that a packed field announces. */
export function colorTableSize(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 << ((packed & 7) + 1)
}

/**
 * Yields the blocks in order, the trailer as the last. Ends without it where the file does, at something that is no
 * block, and where there are too many.
 */
export function* blocks(data: Uint8Array): Generator<Block, void, void> {
  if (!hasAscii(data, 0, 'GIF87a') && !hasAscii(data, 0, 'GIF89a')) return
  let at = headerSize(data)
  for (let count = 0; count < MOST_BLOCKS; count++) {
    const kind = data[at]
    const label = data[at + 1] ?? 0
    const start = at
    if (kind === BLOCK.trailer) {
      yield { kind, label: 0, start, end: at + 1 }
      return
    }
    if (kind === BLOCK.image) at += 10 + colorTableSize(data[at + 9] ?? 0) + 1
    else if (kind === BLOCK.extension) at += 2
    else return
    for (let size = data[at] ?? 0; size !== 0; size = data[at] ?? 0) at += 1 + size
    at += 1
    if (at > data.length) return
    yield { kind, label, start, end: at }
  }
}

/** Returns the name and authentication code of an application extension. */
function applicationOf(data: Uint8Array, { start }: Block): string {
  return asciiAt(data, start + 3, 11)
}

/** Reads the XMP of a GIF. */
export function readGif(data: Uint8Array): Metadata {
  for (const block of blocks(data)) {
    const isApplication = block.kind === BLOCK.extension && block.label === EXTENSION.application
    // The packet stands unblocked behind the name; a trailer of bytes that count down leads every reader to the end.
    if (isApplication && applicationOf(data, block) === XMP_APPLICATION) {
      return readXmp(data.subarray(block.start + 14, block.end))
    }
  }
  return {}
}

/** Tells whether a GIF has content credentials (C2PA). */
export function gifHasCredentials(data: Uint8Array): boolean {
  for (const block of blocks(data)) {
    const isApplication = block.kind === BLOCK.extension && block.label === EXTENSION.application
    if (isApplication && applicationOf(data, block) === CREDENTIALS_APPLICATION) return true
  }
  return false
}

/** Removes comments, application extensions that do not make it loop, and everything behind the trailer. */
export function stripGif(data: Uint8Array): Uint8Array {
  const all = [...blocks(data)]
  if (all.at(-1)?.kind !== BLOCK.trailer) return data
  const kept = all.filter((block) => !isDropped(data, block)).map(({ start, end }) => data.subarray(start, end))
  const stripped = concatBytes([data.subarray(0, headerSize(data)), ...kept])
  return stripped.length < data.length ? stripped : data
}

/** Tells whether a block says how often an animation is shown. */
export function isLoop(data: Uint8Array, block: Block): boolean {
  const isApplication = block.kind === BLOCK.extension && block.label === EXTENSION.application
  return isApplication && LOOPING.has(applicationOf(data, block))
}

function isDropped(data: Uint8Array, block: Block): boolean {
  if (block.kind !== BLOCK.extension) return false
  if (block.label === EXTENSION.comment) return true
  return block.label === EXTENSION.application && !isLoop(data, block)
}
