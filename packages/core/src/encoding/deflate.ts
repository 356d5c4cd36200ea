import { constants, deflateSync } from 'node:zlib'
import { webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory, WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { countPack } from '../base/counters.ts'
import { DEFLATE_MODULE } from './deflate.wasm.ts'

/**
 * How well bytes are compressed. `draft` only tells about how many there are. As shares of oxipng's bytes, and in milliseconds of processor
 * time per megapixel:
 *
 * |            | near-lossless rows of 7 photographs | palettes' rows of 12 drawings |
 * | ---------- | ----------------------------------- | ----------------------------- |
 * | `draft`    | 1.21, 60                            | 1.17, 4                       |
 * | `quick`    | 1.08, 160                           | 1.06, 15                      |
 * | `rows`     | 1.05, 340                           |                               |
 * | `thorough` | 1.04, 450                           | 1.04, 57                      |
 * | oxipng     | 1, 1090                             | 1, 110                        |
 */
export type Packing = 'draft' | 'quick' | 'rows' | 'thorough'

/** What assembly/deflate.ts exports. */
interface DeflateExports {
  memory: WebAssemblyMemory
  CHUNK: { readonly value: number }
  layout(): number
  chunkAddress(): number
  outputAddress(): number
  begin(ofEight: number, ofSixteen: number, enough: number, rounds: number): void
  compress(size: number, isLast: number): number
}

const PAGE = 65_536

/** zlib's. With level 4 a draft takes half of the time, but tells less of which of two palettes is smaller. */
const DRAFT_LEVEL = 5
const BEST_LEVEL = 9

/** `begin`'s arguments. */
const QUICK = [1, 3, 32, 0] as const
const THOROUGH = [4, 12, 258, 1] as const
/** Long chains find little in the noise of photographs: a fifth of the time for 0.7 % of the bytes. */
const ROWS = [2, 6, 128, 1] as const
const THOROUGH_OF_SMALL = [16, 64, 258, 3] as const

/** Bytes up to which so much more is looked for. */
const SMALL = 262_144

/**
 * Bytes up to which, and a share of its bytes up to which, zlib's result may be smaller, because it has no codes of its own, or only one
 * for all: of a gradient of 3.4 megapixels by a tenth.
 */
const TINY = 4096
const TINY_SHARE = 0.02

let compiled: WebAssemblyModule | undefined
let engine: DeflateExports | undefined

/** One for all: nothing else runs between a stream's chunks, and its twelve megabytes do not grow. */
function theEngine(): DeflateExports {
  if (engine !== undefined) return engine
  compiled ??= new webAssembly.Module(Buffer.from(DEFLATE_MODULE, 'base64'))
  const made = new webAssembly.Instance(compiled).exports as DeflateExports
  const missing = made.layout() - made.memory.buffer.byteLength
  if (missing > 0) made.memory.grow(Math.ceil(missing / PAGE))
  engine = made
  return made
}

/** The same bytes in zlib's container (RFC 1950), never longer than stored. */
export function deflate(data: Uint8Array, packing: Packing): Uint8Array {
  return countPack(() => {
    if (packing === 'draft') return deflateSync(data, { level: DRAFT_LEVEL, memLevel: 9 })
    const packed = run(data, settingsFor(data, packing))
    if (data.length > TINY && (packing === 'quick' || packed.length > TINY_SHARE * data.length)) return packed
    const other = deflateSync(data, { level: BEST_LEVEL, memLevel: 9 })
    return other.length < packed.length ? other : packed
  })
}

function settingsFor({ length }: Uint8Array, packing: Exclude<Packing, 'draft'>): Parameters<DeflateExports['begin']> {
  if (packing === 'quick') return [...QUICK]
  if (length <= SMALL) return [...THOROUGH_OF_SMALL]
  return packing === 'rows' ? [...ROWS] : [...THOROUGH]
}

/**
 * Of what zlib makes of near-lossless rows looking for runs alone, the share that a draft takes: of 17 photographs at two steps 0.95 to 0.98 in
 * most. It takes a quarter of a draft's time, and tells what `thorough` makes of them as well: with a spread of 4.1 instead of 4.4 %.
 */
const SHARE_OF_RUNS = 0.96

/** Bytes of a draft of near-lossless rows, about. */
export function draftBytes(rows: Uint8Array): number {
  const { length } = countPack(() => deflateSync(rows, { level: DRAFT_LEVEL, memLevel: 9, strategy: constants.Z_RLE }))
  return length * SHARE_OF_RUNS
}

function run(data: Uint8Array, settings: Parameters<DeflateExports['begin']>): Uint8Array {
  const { memory, CHUNK, chunkAddress, outputAddress, begin, compress } = theEngine()
  begin(...settings)
  const pieces: Uint8Array[] = []
  let at = 0
  do {
    const end = Math.min(data.length, at + CHUNK.value)
    new Uint8Array(memory.buffer, chunkAddress(), end - at).set(data.subarray(at, end))
    const written = compress(end - at, end === data.length ? 1 : 0)
    pieces.push(new Uint8Array(memory.buffer, outputAddress(), written).slice())
    at = end
  } while (at < data.length)
  return Buffer.concat(pieces)
}
