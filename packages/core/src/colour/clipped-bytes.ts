import { webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyMemory } from '../quality/metric/webassembly.ts'
import { encodedTable, lightTable, WHITE } from '../resample/transfer.ts'
import type { Matrix } from './colour-space.ts'
import { conversion, DISPLAY_P3, SRGB, toAdaptedXyz } from './colour-space.ts'
import { GAMUT_MODULE } from './gamut.wasm.ts'

/** Light of Display P3 → light of sRGB. */
export const P3_TO_SRGB: Matrix = conversion(toAdaptedXyz(DISPLAY_P3), SRGB)

/** The exports of assembly/gamut.ts. */
interface GamutExports {
  memory: WebAssemblyMemory
  layout(room: number): number
  productsAddress(): number
  samplesAddress(): number
  pixelsAddress(): number
  convert(count: number, step: number): void
}

/** The engine, and the bytes that pixels are written to. */
interface Engine {
  readonly room: Uint8Array
  convert(count: number, step: number): void
}

const PAGE = 65_536

/** Bytes that are converted at once: whole pixels of three and of four bytes, few enough for a processor's cache. */
const BATCH_BYTES = 12 * 4096

/** Samples of 8 bits, and the doubles that each has among the products. */
const SAMPLES = 256
const DOUBLES = 4

/** Light on either side of what sRGB has for which the module's table has a sample. */
const BEYOND = 16_384

let engine: Engine | undefined

/**
 * Converts bytes of Display P3 to sRGB, relative colorimetric: colours within sRGB stay exactly, others are clipped per
 * channel. Clear pixels become transparent black.
 */
export function clippedBytes(from: Uint8Array, channels: 3 | 4): Buffer {
  engine ??= createEngine()
  const { room, convert } = engine
  const bytes = Buffer.allocUnsafe(from.length)
  for (let at = 0; at < from.length; at += BATCH_BYTES) {
    const part = from.subarray(at, at + BATCH_BYTES)
    room.set(part)
    convert(part.length / channels, channels)
    bytes.set(room.subarray(0, part.length), at)
  }
  return bytes
}

function createEngine(): Engine {
  const made = new webAssembly.Instance(new webAssembly.Module(Buffer.from(GAMUT_MODULE, 'base64')))
    .exports as GamutExports
  const { memory } = made
  const missing = made.layout(BATCH_BYTES) - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  const light = lightTable('gamma8')
  const products = new Float64Array(memory.buffer, made.productsAddress(), 3 * SAMPLES * DOUBLES)
  for (let channel = 0; channel < 3; channel++) {
    for (let sample = 0; sample < SAMPLES; sample++) {
      const at = (channel * SAMPLES + sample) * DOUBLES
      for (let to = 0; to < 3; to++) products[at + to] = P3_TO_SRGB[to]![channel]! * light[sample]!
    }
  }
  const samples = new Uint8Array(memory.buffer, made.samplesAddress(), WHITE + 1 + 2 * BEYOND)
  samples.fill(255, BEYOND + WHITE)
  samples.set(encodedTable(), BEYOND)
  return { room: new Uint8Array(memory.buffer, made.pixelsAddress(), BATCH_BYTES), convert: made.convert }
}
