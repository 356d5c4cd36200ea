import { PixpressError } from '../../base/errors.ts'
import { fastestBuild, hasAlike, type Build } from '../metric/instance.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { webAssembly, type WebAssemblyMemory } from '../metric/webassembly.ts'
import { PLAIN_MODULE, SIMD_MODULE } from './guards.wasm.ts'
import { cubeRoot, seenLights } from './oklab.ts'

/** In place of a background: neither picture has transparency. */
export const OPAQUE = -1

/** The largest value that one measure has in any window, and the upper left corner of that window, in pixels. */
export interface WorstWindow {
  value: number
  x: number
  y: number
}

/** The measures of windows, in the order of the module's records; the formulas are in docs/quality.md. */
export const WINDOW_NAMES = ['means', 'colours', 'band', 'edges', 'jag', 'gone'] as const

export type WindowName = (typeof WINDOW_NAMES)[number]

export type WorstWindows = Record<WindowName, WorstWindow>

/** What a record holds is a power of the measure, so that the module need not take roots. */
const ROOTS: Record<WindowName, (power: number) => number> = {
  means: Math.sqrt,
  colours: Math.sqrt,
  band: Math.sqrt,
  edges: Math.sqrt,
  jag: (power) => Math.sqrt(cubeRoot(power)),
  gone: (power) => power,
}

/**
 * What is measured only where it is asked for: `jag`; `gone`, of means; `lines`, a part of `gone`; `streaks`, a part of `band`; and
 * `spots`, a part of `colours` that needs `jag`.
 */
export const PARTS = ['jag', 'gone', 'lines', 'streaks', 'spots'] as const

export type Part = (typeof PARTS)[number]

/** How two pictures are compared. */
export interface Comparison {
  build: Build
  /** Measures that are left out, and are zero; by default none. */
  without?: ReadonlySet<Part>
  /** Whether what is alike is looked for and skipped, which changes no result. By default where a sample of pixels promises it. */
  compares?: boolean
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
  WITH_JAG: { readonly value: number }
  WITH_GONE: { readonly value: number }
  WITH_STREAKS: { readonly value: number }
  WITH_LINES: { readonly value: number }
  WITH_SPOTS: { readonly value: number }
  layout(width: number, height: number, compares: number): number
  originalAddress(): number
  resultAddress(): number
  opaqueLevelsAddress(): number
  blendedLevelsAddress(): number
  largestAddress(): number
  start(wanted: number): void
  mark(y: number, rows: number, step: number, isBlended: number): void
  settle(): void
  needs(y: number, rows: number): number
  push(rows: number, originalBytes: number, resultBytes: number, background: number): void
  foundAddress(): number
  startFlat(counterBits: number): void
  restartFlat(): void
  takeFlat(from: number, rows: number, step: number, least: number): number
  valuesAddress(): number
  countsAddress(): number
  opaqueAddress(): number
  totalsAddress(): number
  startEntries(): void
  voteForValues(pixels: number, source: number, indices: number, step: number): void
  countValues(pixels: number, source: number, indices: number, step: number): void
}

const BYTES: Record<Build, string> = { simd: SIMD_MODULE, plain: PLAIN_MODULE }
/** One per build serves all pictures: a comparison is synchronous, and nothing of it stays behind. */
const engines = new Map<Build, GuardsExports>()

/** Those that have the levels of blended pixels. */
const blending = new WeakSet<GuardsExports>()
let blendedLevels: Float32Array | undefined

function engineOf(build: Build): GuardsExports {
  let engine = engines.get(build)
  if (!engine) {
    const module = new webAssembly.Module(Buffer.from(BYTES[build], 'base64'))
    engine = new webAssembly.Instance(module).exports as GuardsExports
    makeRoom(engine, 1, 1, false)
    fill(engine, engine.opaqueLevelsAddress(), seenLights(255))
    engines.set(build, engine)
  }
  return engine
}

/** Bytes of WebAssembly memory that comparing pictures of this size, in pixels, takes: about 1040 per pixel of width. */
export function guardsBytes(width: number, height: number): number {
  return Math.ceil(engineOf(fastestBuild()).layout(width, height, 0) / PAGE) * PAGE
}

function fill({ memory }: GuardsExports, address: number, levels: Float32Array): void {
  new Float32Array(memory.buffer, address, levels.length).set(levels)
}

/** The levels of blended pixels, which take longer to compute than a small picture is compared, the first time they are needed. */
function prepareBlending(engine: GuardsExports): void {
  if (blending.has(engine)) return
  blendedLevels ??= seenLights(255 * 255)
  fill(engine, engine.blendedLevelsAddress(), blendedLevels)
  blending.add(engine)
}

function makeRoom({ memory, layout }: GuardsExports, width: number, height: number, compares: boolean): void {
  const missing = layout(width, height, compares ? 1 : 0) - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
}

/**
 * Where two pictures of the same size differ most, on a grey background (0…255) or OPAQUE. About 1040 bytes of
 * memory per pixel of width, and where the pictures are partly alike a byte for four pixels: what is alike is skipped then, and
 * the result is the same.
 *
 * @throws PixpressError INTERNAL if there is no memory
 */
export function worstWindows(
  original: Pixels,
  result: Pixels,
  background: number,
  { build, without = NOTHING, ...given }: Comparison,
): WorstWindows {
  const compares =
    given.compares ?? (original.channels === result.channels && hasAlike(original.data, result.data, original.channels))
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
  if (background !== OPAQUE) prepareBlending(engine)
  engine.start(wantedOf(engine, without))
  const take = (y: number, rows: number): void => {
    putAt(engine, engine.originalAddress(), rowsOf(original, y, rows))
    putAt(engine, engine.resultAddress(), rowsOf(result, y, rows))
  }
  const batch = engine.BATCH_ROWS.value
  if (compares) {
    for (let y = 0; y < height; y += batch) {
      const rows = Math.min(batch, height - y)
      take(y, rows)
      engine.mark(y, rows, original.channels, background === OPAQUE ? 0 : 1)
    }
    engine.settle()
  }
  for (let y = 0; y < height; y += batch) {
    const rows = Math.min(batch, height - y)
    if (engine.needs(y, rows) === 1) take(y, rows)
    engine.push(rows, original.channels, result.channels, background)
  }
  const records = new DataView(engine.memory.buffer, engine.largestAddress(), WINDOW_NAMES.length * RECORD)
  const record = (name: WindowName, at: number): WorstWindow => ({
    value: ROOTS[name](records.getFloat64(at, true)),
    x: records.getInt32(at + 8, true),
    y: records.getInt32(at + 12, true),
  })
  const worst = Object.fromEntries(WINDOW_NAMES.map((name, index) => [name, record(name, index * RECORD)]))
  if (engine.memory.buffer.byteLength > IDLE_BYTES) engines.delete(build)
  return worst as WorstWindows
}

const NOTHING: ReadonlySet<Part> = new Set()

function wantedOf(engine: GuardsExports, without: ReadonlySet<Part>): number {
  const flags: Record<Part, number> = {
    jag: engine.WITH_JAG.value,
    gone: engine.WITH_GONE.value,
    lines: engine.WITH_LINES.value,
    streaks: engine.WITH_STREAKS.value,
    spots: engine.WITH_SPOTS.value,
  }
  let wanted = 0
  for (const part of PARTS) if (!without.has(part)) wanted += flags[part]
  return wanted
}

/** The bytes of some rows of a picture. */
function rowsOf({ data, width, channels }: Pixels, y: number, rows: number): Uint8Array {
  const rowBytes = width * channels
  return data.subarray(y * rowBytes, (y + rows) * rowBytes)
}

/** Writes bytes into the memory of WebAssembly. */
function putAt({ memory }: GuardsExports, address: number, bytes: Uint8Array): void {
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes)
}

/**
 * Stretches along rows whose pixels have one value, RGBA in 32 bits, red lowest, 0 for all of alpha 0, and four neighbours of
 * the same: first pixel, count and value of each. All those of values that `least` pixels have, and hardly any other.
 */
export function innerRuns(pixels: Pixels, least: number): Uint32Array[] {
  const { width, height, channels } = pixels
  const engine = engineOf(fastestBuild())
  makeRoom(engine, width, Math.min(height, engine.BATCH_ROWS.value), false)
  // Values share counters at first: none that reaches the count is missed.
  engine.startFlat(Math.max(LEAST_COUNTER_BITS, Math.ceil(Math.log2(width * height)) - 2))
  const take = (y: number, leastCounted: number): number => {
    const rows = Math.min(engine.BATCH_ROWS.value, height - y)
    putAt(engine, engine.originalAddress(), rowsOf(pixels, y, rows))
    return engine.takeFlat(engine.originalAddress(), rows, channels, leastCounted)
  }
  let most = 0
  for (let y = 0; y < height; y += engine.BATCH_ROWS.value) most = Math.max(most, take(y, 0))
  const runs: Uint32Array[] = []
  if (most < least) return runs
  engine.restartFlat()
  for (let y = 0; y < height; y += engine.BATCH_ROWS.value) {
    const count = take(y, Math.ceil(least))
    if (count > 0) runs.push(new Uint32Array(engine.memory.buffer, engine.foundAddress(), 3 * count).slice())
  }
  return runs
}

/** Counters of the smallest pictures, as a power of two. */
const LEAST_COUNTER_BITS = 10

/** Entries of a palette at most. */
const ENTRIES = 256
/** Width of the pictures whose rows' room in memory a batch of pixels takes. */
const BATCH_WIDTH = 512

/** By entry of a palette: two values, among which is every one that half of its pixels have, and counts. */
export interface EntryCounts {
  /** RGBA, 32 bits, red lowest; 0 for all pixels of alpha 0. Two per entry, and the pixels that have each. */
  values: Uint32Array
  counts: Uint32Array
  /** Pixels of alpha 255, and all pixels. */
  opaque: Uint32Array
  totals: Uint32Array
}

/** Counts the values that the pixels of each entry have; `indices` holds the entry of each, a byte. */
export function countEntries({ data, channels }: Pixels, indices: Uint8Array): EntryCounts {
  const engine = engineOf(fastestBuild())
  makeRoom(engine, BATCH_WIDTH, 1, false)
  const [source, entries] = [engine.originalAddress(), engine.resultAddress()]
  const batch = BATCH_WIDTH * engine.BATCH_ROWS.value
  engine.startEntries()
  for (const count of [engine.voteForValues, engine.countValues]) {
    for (let first = 0; first < indices.length; first += batch) {
      const part = indices.subarray(first, first + batch)
      const pixels = data.subarray(first * channels, (first + part.length) * channels)
      new Uint8Array(engine.memory.buffer, source, pixels.length).set(pixels)
      new Uint8Array(engine.memory.buffer, entries, part.length).set(part)
      count(part.length, source, entries, channels)
    }
  }
  return readCounts(engine)
}

/** A module that counts the values of entries, of assembly/snap.ts. */
export type EntryCounter = Pick<
  GuardsExports,
  | 'memory'
  | 'startEntries'
  | 'voteForValues'
  | 'countValues'
  | 'valuesAddress'
  | 'countsAddress'
  | 'opaqueAddress'
  | 'totalsAddress'
>

/** Pixels and the entry of each that lie in a module's memory. */
export interface HeldEntries {
  readonly pixels: number
  readonly channels: 3 | 4
  /** Addresses. */
  readonly source: number
  readonly indices: number
}

/** The same as `countEntries` of what another module holds, without a copy. */
export function countHeldEntries(
  counter: EntryCounter,
  { pixels, channels, source, indices }: HeldEntries,
): EntryCounts {
  counter.startEntries()
  counter.voteForValues(pixels, source, indices, channels)
  counter.countValues(pixels, source, indices, channels)
  return readCounts(counter)
}

function readCounts(counter: EntryCounter): EntryCounts {
  const numbers = (address: number, length: number): Uint32Array =>
    new Uint32Array(counter.memory.buffer, address, length).slice()
  return {
    values: numbers(counter.valuesAddress(), 2 * ENTRIES),
    counts: numbers(counter.countsAddress(), 2 * ENTRIES),
    opaque: numbers(counter.opaqueAddress(), ENTRIES),
    totals: numbers(counter.totalsAddress(), ENTRIES),
  }
}
