import { constants, deflateSync } from 'node:zlib'
import { createIdleInstances } from '../quality/metric/idle-memory.ts'
import { fastestBuild, type Build } from '../quality/metric/instance.ts'
import { moduleBytes, webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory, WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { countPack } from '../base/counters.ts'
import { concatBytes } from '../metadata/bytes.ts'
import { PLAIN_MODULE, SIMD_MODULE } from './deflate.wasm.ts'

/**
 * Levels of deflate compression. `draft` only estimates the number of bytes. The table shows bytes, as a share of
 * oxipng's, and milliseconds of processor time per megapixel:
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

/** Exports of assembly/deflate.ts. */
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

/** Compression level of zlib. With level 4 a draft takes half of the time, but compares two palettes less reliably. */
const DRAFT_LEVEL = 5
const BEST_LEVEL = 9

/** Arguments of `begin`. */
const QUICK = [1, 3, 32, 0] as const
const THOROUGH = [4, 12, 258, 1] as const
/**
 * Long chains of matches find little in the noise of photographs: this setting takes a fifth of the time for 0.7% more
 * bytes.
 */
const ROWS = [2, 6, 128, 1] as const
const THOROUGH_OF_SMALL = [16, 64, 258, 3] as const

/** Data of up to this many bytes is compressed with the most thorough settings, because they take little time there. */
const SMALL = 262_144

/**
 * zlib is tried as well if the result has at most this many bytes, or this share of its input. There zlib may win
 * because it writes fixed Huffman codes, or one set of codes for all data: a gradient of 3.4 megapixels got smaller by
 * a tenth.
 */
const TINY = 4096
const TINY_SHARE = 0.02

const BYTES: Record<Build, string> = { simd: SIMD_MODULE, plain: PLAIN_MODULE }
const compiled = new Map<Build, WebAssemblyModule>()

const bytesOf = ({ memory }: DeflateExports): number => memory.buffer.byteLength
const idle = { simd: createIdleInstances(bytesOf), plain: createIdleInstances(bytesOf) }

/** Creates an instance, whose twelve megabytes do not grow. */
function newEngine(build: Build): DeflateExports {
  const module = compiled.get(build) ?? new webAssembly.Module(moduleBytes(BYTES[build]))
  compiled.set(build, module)
  const made = new webAssembly.Instance(module).exports as DeflateExports
  const missing = made.layout() - made.memory.buffer.byteLength
  if (missing > 0) made.memory.grow(Math.ceil(missing / PAGE))
  return made
}

/**
 * Compresses data into the zlib format (RFC 1950). The result is never longer than stored blocks would be.
 * @param build both write the same bytes; default: the faster one that this JavaScript engine can run
 */
export function deflate(data: Uint8Array, packing: Packing, build: Build = fastestBuild()): Uint8Array {
  return countPack(() => {
    if (packing === 'draft') return deflateSync(data, { level: DRAFT_LEVEL, memLevel: 9 })
    const packed = run(data, settingsFor(data, packing), build)
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
 * Ratio of a draft's bytes to those of zlib with run-length matches only (`Z_RLE`), measured on near-lossless rows of
 * 17 photographs at two steps: 0.95 to 0.98 for most. Run lengths take a quarter of the time of a draft and predict the
 * bytes of `thorough` about as well, with a spread of 4.1% rather than 4.4%.
 */
const SHARE_OF_RUNS = 0.96

/** Estimates the bytes of a draft of near-lossless rows. */
export function draftBytes(rows: Uint8Array): number {
  const { length } = countPack(() => deflateSync(rows, { level: DRAFT_LEVEL, memLevel: 9, strategy: constants.Z_RLE }))
  return length * SHARE_OF_RUNS
}

function run(data: Uint8Array, settings: Parameters<DeflateExports['begin']>, build: Build): Uint8Array {
  const engine = idle[build].take() ?? newEngine(build)
  const { memory, CHUNK, chunkAddress, outputAddress, begin, compress } = engine
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
  idle[build].give(engine)
  return concatBytes(pieces)
}
