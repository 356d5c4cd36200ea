import { PixpressError } from '../../base/errors.ts'
import { fastestBuild, type Build } from '../metric/instance.ts'
import { createIdleInstances } from '../metric/idle-memory.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { moduleBytes, webAssembly, type WebAssemblyMemory, type WebAssemblyModule } from '../metric/webassembly.ts'
import { PLAIN_MODULE, SIMD_MODULE } from './guards.wasm.ts'
import { seenLights } from './oklab.ts'

const PAGE = 65_536
/** Memory above which an engine is not kept for the next result of a picture. */
const MOST_ENGINE_BYTES = 32 * 2 ** 20
/**
 * Bytes, four for each pixel, of the largest original that stays in an engine's memory: two megapixels. Copying a
 * larger one for every result takes less than a hundredth of the guards' time, and no memory.
 */
const MOST_KEPT_BYTES = 8 * 2 ** 20

/** Exports of assembly/guards.ts. */
export interface GuardsExports {
  memory: WebAssemblyMemory
  BATCH_ROWS: { readonly value: number }
  WITH_JAG: { readonly value: number }
  WITH_GONE: { readonly value: number }
  WITH_STREAKS: { readonly value: number }
  WITH_LINES: { readonly value: number }
  WITH_SPOTS: { readonly value: number }
  layout(width: number, height: number, compares: number, keeps: number): number
  originalAddress(y: number, step: number): number
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
  endVotes(step: number): number
  countValues(pixels: number, source: number, indices: number, step: number): void
}

/** The pictures that memory is laid out for. */
interface Room {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** `true` if pictures are compared first. */
  readonly compares: boolean
  /** `true` if all of the original's pixels stay. */
  readonly keeps: boolean
}

const BYTES: Record<Build, string> = { simd: SIMD_MODULE, plain: PLAIN_MODULE }
/** One per build serves all pictures: a comparison is synchronous, and nothing of it stays behind but an original. */
const engines = new Map<Build, GuardsExports>()
const compiled = new Map<Build, WebAssemblyModule>()

const bytesOf = ({ memory }: GuardsExports): number => memory.buffer.byteLength
/** Those between two pictures. */
const idle = { simd: createIdleInstances(bytesOf), plain: createIdleInstances(bytesOf) }

/** Those that have the levels of blended pixels. */
const blending = new WeakSet<GuardsExports>()
let blendedLevels: Float32Array | undefined

/** Whose original each engine has in its memory. */
const keepers = new WeakMap<GuardsExports, object>()

/** The engine of a build, without an original: what is done with it next may write over one. */
export function engineOf(build: Build): GuardsExports {
  const engine = engines.get(build) ?? idle[build].take() ?? newEngine(build)
  engines.set(build, engine)
  keepers.delete(engine)
  return engine
}

function newEngine(build: Build): GuardsExports {
  const module = compiled.get(build) ?? new webAssembly.Module(moduleBytes(BYTES[build]))
  compiled.set(build, module)
  const engine = new webAssembly.Instance(module).exports as GuardsExports
  makeRoom(engine, { width: 1, height: 1, compares: false, keeps: false })
  fill(engine, engine.opaqueLevelsAddress(), seenLights(255))
  return engine
}

/** Lets the engine of a build wait for the next picture, if it is not too large for that. */
export function restEngine(build: Build): void {
  const engine = engines.get(build)
  if (engine === undefined) return
  engines.delete(build)
  keepers.delete(engine)
  idle[build].give(engine)
}

/** Tells whether the engine of a build has the original of a keeper in its memory. */
export function keepsFor(build: Build, keeper: object | undefined): boolean {
  const engine = engines.get(build)
  return engine !== undefined && keeper !== undefined && keepers.get(engine) === keeper
}

/** Notes that an engine has all of an original, and lets go of an engine that is too large for the next result. */
export function finishComparison(build: Build, engine: GuardsExports, keeper: object | undefined): void {
  if (keeper !== undefined) keepers.set(engine, keeper)
  if (engine.memory.buffer.byteLength > MOST_ENGINE_BYTES) engines.delete(build)
}

/** Tells whether an original of this size, in pixels, stays in memory. */
export const fitsEngine = (width: number, height: number): boolean => width * height * 4 <= MOST_KEPT_BYTES

/**
 * Returns the bytes of WebAssembly memory that comparing pictures of this size, in pixels, takes: about 1040 per pixel
 * of width, and four per pixel of up to five megapixels.
 */
export function guardsBytes(width: number, height: number): number {
  const bytes = engineOf(fastestBuild()).layout(width, height, 0, fitsEngine(width, height) ? 1 : 0)
  return Math.ceil(bytes / PAGE) * PAGE
}

function fill({ memory }: GuardsExports, address: number, levels: Float32Array): void {
  new Float32Array(memory.buffer, address, levels.length).set(levels)
}

/**
 * Fills in the levels of blended pixels, the first time they are needed: computing them takes longer than comparing a
 * small picture.
 */
export function prepareBlending(engine: GuardsExports): void {
  if (blending.has(engine)) return
  blendedLevels ??= seenLights(255 * 255)
  fill(engine, engine.blendedLevelsAddress(), blendedLevels)
  blending.add(engine)
}

/** Lays out memory for pictures of a size. */
export function makeRoom({ memory, layout }: GuardsExports, { width, height, compares, keeps }: Room): void {
  const missing = layout(width, height, compares ? 1 : 0, keeps ? 1 : 0) - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
}

/**
 * The same for a comparison, whose levels it makes as well where pixels are blended.
 * @throws PixpressError INTERNAL if there is no memory
 */
export function makeRoomToCompare(build: Build, engine: GuardsExports, room: Room): void {
  try {
    makeRoom(engine, room)
  } catch (error) {
    engines.delete(build)
    throw new PixpressError('INTERNAL', `No memory for comparing images of ${room.width} × ${room.height} pixels`, {
      cause: error,
    })
  }
}

/** The bytes of some rows of a picture. */
export function rowsOf({ data, width, channels }: Pixels, y: number, rows: number): Uint8Array {
  const rowBytes = width * channels
  return data.subarray(y * rowBytes, (y + rows) * rowBytes)
}

/** Writes bytes into the memory of WebAssembly. */
export function putAt({ memory }: GuardsExports, address: number, bytes: Uint8Array): void {
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes)
}
