import { moduleBytes, webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory } from '../quality/metric/webassembly.ts'
import { PIXELS_MODULE } from './pixels.wasm.ts'
import type { Samples } from './near-lossless.ts'

/** Exports of assembly/pixels.ts. */
interface PixelsExports {
  memory: WebAssemblyMemory
  roomAddress(): number
  placesAddress(): number
  startColours(most: number, first: number, step: number): void
  takeColours(from: number, count: number, step: number): number
  colourCount(): number
  isAllGrey(): number
  countRepeats(from: number, count: number, step: number): number
  averageRows(from: number, to: number, rows: number, rowBytes: number, step: number): void
  packRows(from: number, to: number, rows: number, width: number, depth: number): void
}

const PAGE = 65_536

/**
 * Bytes that are taken at once: whole pixels of three and of four bytes, few enough for a processor's cache, unless a
 * row has more.
 */
const BATCH_BYTES = 12 * 4096

/** Bytes that may be read behind the last pixel, as all are read by fours and eights. */
const BEHIND = 8

/** Entries of a palette at most. */
const ENTRIES = 256

let engine: PixelsExports | undefined
/** All of its memory. */
let bytes = new Uint8Array()

/** The one engine for all pictures, with so many bytes of room: nothing of one is left behind between two calls. */
function engineWith(room: number): PixelsExports {
  engine ??= new webAssembly.Instance(new webAssembly.Module(moduleBytes(PIXELS_MODULE))).exports as PixelsExports
  const { memory, roomAddress } = engine
  const missing = roomAddress() + room - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  if (bytes.buffer !== memory.buffer) bytes = new Uint8Array(memory.buffer)
  return engine
}

/** Counts distinct colours up to a number at least, and tells whether all of them are grey. */
export function countColours(
  data: Uint8Array,
  channels: 3 | 4,
  enough: number,
): { readonly colours: number; readonly grey: boolean } {
  const made = engineWith(BATCH_BYTES + BEHIND)
  const room = made.roomAddress()
  for (let at = 0, goesOn = 1; at < data.length && goesOn === 1; at += BATCH_BYTES) {
    const part = data.subarray(at, at + BATCH_BYTES)
    bytes.set(part, room)
    if (at === 0) made.startColours(enough, room, channels)
    goesOn = made.takeColours(room, part.length / channels, channels)
  }
  return { colours: made.colourCount(), grey: made.isAllGrey() === 1 }
}

/** Tells whether more than so many pixels are like the one before. */
export function repeatsMoreThan(most: number, data: Uint8Array, channels: 3 | 4): boolean {
  const made = engineWith(BATCH_BYTES + channels + BEHIND)
  const room = made.roomAddress()
  let repeated = 0
  // A batch ends with the pixel that the next one begins with.
  for (let at = 0; at + channels < data.length && repeated <= most; at += BATCH_BYTES) {
    const part = data.subarray(at, at + BATCH_BYTES + channels)
    bytes.set(part, room)
    repeated += made.countRepeats(room, part.length / channels - 1, channels)
  }
  return repeated > most
}

/** Rows in PNG's filter Average, each with the byte that says so. */
export function averageRows({ data, width, height, channels }: Samples): Uint8Array {
  const rowBytes = width * channels
  const most = Math.max(1, Math.floor(BATCH_BYTES / rowBytes))
  const inputBytes = (most + 1) * rowBytes + BEHIND
  const made = engineWith(inputBytes + most * (rowBytes + 1) + BEHIND)
  const from = made.roomAddress()
  const to = from + inputBytes
  const rows = new Uint8Array((rowBytes + 1) * height)
  for (let y = 0; y < height; y += most) {
    const count = Math.min(most, height - y)
    if (y === 0) bytes.fill(0, from, from + rowBytes)
    else bytes.set(data.subarray((y - 1) * rowBytes, y * rowBytes), from)
    bytes.set(data.subarray(y * rowBytes, (y + count) * rowBytes), from + rowBytes)
    made.averageRows(from, to, count, rowBytes, channels)
    rows.set(bytes.subarray(to, to + count * (rowBytes + 1)), y * (rowBytes + 1))
  }
  return rows
}

/** How indices become rows. */
export interface RowPacking {
  readonly width: number
  readonly height: number
  /** Bits of a pixel. */
  readonly depth: number
  /** The entry that takes the place of each, which has so many bits. */
  readonly places: Uint8Array
}

/** Rows of indices without a filter, each with the byte that says so. */
export function packPixels(indices: Uint8Array, { width, height, depth, places }: RowPacking): Uint8Array {
  const rowBytes = Math.ceil((width * depth) / 8) + 1
  const most = Math.max(1, Math.floor(BATCH_BYTES / width))
  const made = engineWith(most * (width + rowBytes))
  const from = made.roomAddress()
  const to = from + most * width
  bytes.fill(0, made.placesAddress(), made.placesAddress() + ENTRIES)
  bytes.set(places, made.placesAddress())
  const rows = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += most) {
    const count = Math.min(most, height - y)
    bytes.set(indices.subarray(y * width, (y + count) * width), from)
    made.packRows(from, to, count, width, depth)
    rows.set(bytes.subarray(to, to + count * rowBytes), y * rowBytes)
  }
  return rows
}
