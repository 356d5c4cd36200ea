import { PixpressError } from '../../errors.ts'
import { fastestBuild, hasAlike, type Build } from '../metric/instance.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { webAssembly, type WebAssemblyMemory } from '../metric/webassembly.ts'
import { PLAIN_MODULE, SIMD_MODULE } from './guards.wasm.ts'
import { seenLights } from './oklab.ts'

/** In place of a background: neither picture has transparency. */
export const OPAQUE = -1

/** The largest value that one measure has in any window, and the upper left corner of that window, in pixels. */
export interface WorstWindow {
  value: number
  x: number
  y: number
}

/** By measure; the formulas are in docs/quality.md. */
export interface WorstWindows {
  means: WorstWindow
  colours: WorstWindow
  steps: WorstWindow
  edges: WorstWindow
}

const PAGE = 65_536
/** Memory above which an engine is not kept for the next picture. */
const IDLE_BYTES = 32 * 2 ** 20
/** Bytes of one record that the module keeps per measure. */
const RECORD = 16

/** What assembly/guards.ts exports. */
interface GuardsExports {
  memory: WebAssemblyMemory
  BATCH_ROWS: { readonly value: number }
  layout(width: number, height: number, compares: number): number
  originalAddress(): number
  resultAddress(): number
  opaqueLevelsAddress(): number
  blendedLevelsAddress(): number
  largestAddress(): number
  start(): void
  mark(y: number, rows: number, step: number, isBlended: number): void
  settle(): void
  push(rows: number, originalBytes: number, resultBytes: number, background: number): void
}

const BYTES: Record<Build, string> = { simd: SIMD_MODULE, plain: PLAIN_MODULE }
/** One per build serves all pictures: a comparison is synchronous, and nothing of it stays behind. */
const engines = new Map<Build, GuardsExports>()

function engineOf(build: Build): GuardsExports {
  let engine = engines.get(build)
  if (!engine) {
    const module = new webAssembly.Module(Buffer.from(BYTES[build], 'base64'))
    engine = new webAssembly.Instance(module).exports as GuardsExports
    makeRoom(engine, 1, 1, false)
    fill(engine, engine.opaqueLevelsAddress(), seenLights(255))
    fill(engine, engine.blendedLevelsAddress(), seenLights(255 * 255))
    engines.set(build, engine)
  }
  return engine
}

/** Bytes of WebAssembly memory that comparing pictures of this size, in pixels, takes: about 600 per pixel of width. */
export function guardsBytes(width: number, height: number): number {
  return Math.ceil(engineOf(fastestBuild()).layout(width, height, 0) / PAGE) * PAGE
}

function fill({ memory }: GuardsExports, address: number, levels: Float32Array): void {
  new Float32Array(memory.buffer, address, levels.length).set(levels)
}

function makeRoom({ memory, layout }: GuardsExports, width: number, height: number, compares: boolean): void {
  const missing = layout(width, height, compares ? 1 : 0) - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
}

/**
 * Where two pictures of the same size differ most, on a grey background (0…255) or OPAQUE. About 600 bytes of
 * memory per pixel of width, and where the pictures are partly alike a byte for four pixels: what is alike is skipped then, and
 * the result is the same. `compares` says whether that is tried, by default where a sample of pixels promises it.
 *
 * @throws PixpressError INTERNAL if there is no memory
 */
export function worstWindows(
  original: Pixels,
  result: Pixels,
  background: number,
  build: Build,
  compares: boolean = original.channels === result.channels && hasAlike(original.data, result.data, original.channels),
): WorstWindows {
  const { width, height } = original
  const engine = engineOf(build)
  try {
    makeRoom(engine, width, height, compares)
  } catch (error) {
    engines.delete(build)
    throw new PixpressError('INTERNAL', `No memory for comparing images of ${width} × ${height} pixels`, {
      cause: error,
    })
  }
  engine.start()
  const eachBatch = (work: (y: number, rows: number) => void): void => {
    for (let y = 0; y < height; y += engine.BATCH_ROWS.value) {
      const rows = Math.min(engine.BATCH_ROWS.value, height - y)
      copyRows(engine, engine.originalAddress(), original, y, rows)
      copyRows(engine, engine.resultAddress(), result, y, rows)
      work(y, rows)
    }
  }
  if (compares) {
    eachBatch((y, rows) => engine.mark(y, rows, original.channels, background === OPAQUE ? 0 : 1))
    engine.settle()
  }
  eachBatch((_, rows) => engine.push(rows, original.channels, result.channels, background))
  const records = new DataView(engine.memory.buffer, engine.largestAddress(), 4 * RECORD)
  const record = (at: number): WorstWindow => ({
    value: Math.sqrt(records.getFloat64(at * RECORD, true)),
    x: records.getInt32(at * RECORD + 8, true),
    y: records.getInt32(at * RECORD + 12, true),
  })
  if (engine.memory.buffer.byteLength > IDLE_BYTES) engines.delete(build)
  return { means: record(0), colours: record(1), steps: record(2), edges: record(3) }
}

function copyRows({ memory }: GuardsExports, address: number, pixels: Pixels, y: number, rows: number): void {
  const rowBytes = pixels.width * pixels.channels
  new Uint8Array(memory.buffer, address, rows * rowBytes).set(pixels.data.subarray(y * rowBytes, (y + rows) * rowBytes))
}
