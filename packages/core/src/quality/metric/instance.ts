import { PixpressError } from '../../base/errors.ts'
import { PLAIN_MODULE, SIMD_MODULE } from './ssimulacra2.wasm.ts'
import { createIdleInstances } from './idle-memory.ts'
import { moduleBytes, webAssembly, type WebAssemblyMemory, type WebAssemblyModule } from './webassembly.ts'
import { activeChannels, CHANNELS, MAX_SCALES, NORMS, scaleCount } from './weights.ts'

/** The two builds of the same source: one computes four pixels at a time, the other one. */
export type Build = 'simd' | 'plain'

/** Number of the original in the module. */
export const ORIGINAL = 0
/** Number of the image that is compared with the original. */
export const DISTORTED = 1

/**
 * The part of the original that an instance holds: `all`; one group of rows in so many of its finest scales; or, for
 * `strips`, only the rows in use, so that the original must be pushed again just ahead of each distorted image.
 */
export type Held = 'all' | 'strips' | number

/** Replaces a background if the pixels' alpha, if any, does not matter. */
export const OPAQUE = -1

const PAGE = 65_536
/** Bytes that WebAssembly can address. */
const ADDRESSABLE = 65_536 * PAGE

/**
 * Bytes of the largest memory in which the original's pixels are kept beside its planes. It suffices for every picture
 * that is prepared by default.
 */
const MOST_BYTES_WITH_PIXELS = 64 * 2 ** 20

/** Exports of assembly/ssimulacra2.ts. */
interface MetricExports {
  memory: WebAssemblyMemory
  BATCH_ROWS: { readonly value: number }
  layout(width: number, height: number, active: number, strips: number, share: number, keeps: number): number
  inputAddress(): number
  originalInputAddress(y: number, step: number): number
  linearTableAddress(): number
  blendTableAddress(): number
  sumsAddress(): number
  setSample(share: number, alone: number): void
  sampledRows(scale: number, height: number): number
  start(image: number): void
  push(image: number, rows: number, step: number, background: number, isCompared: number): void
}

const BYTES: Record<Build, string> = { simd: SIMD_MODULE, plain: PLAIN_MODULE }
const compiled = new Map<Build, WebAssemblyModule>()
let fastest: Build | undefined

/** Returns the SIMD build if the JavaScript engine can run it. */
export function fastestBuild(): Build {
  fastest ??= webAssembly.validate(moduleBytes(SIMD_MODULE)) ? 'simd' : 'plain'
  return fastest
}

function moduleOf(build: Build): WebAssemblyModule {
  let module = compiled.get(build)
  if (!module) {
    module = new webAssembly.Module(moduleBytes(BYTES[build]))
    compiled.set(build, module)
  }
  return module
}

/** Returns the linear light (0…1) of an sRGB value (0…1), by IEC 61966-2-1. */
function linearLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Returns the linear light of the sRGB values 0, 1/last, … 1. */
function linearTable(last: number): Float32Array {
  return Float32Array.from({ length: last + 1 }, (_, i) => linearLight(i / last))
}

const BYTE_LEVELS = linearTable(255)
let blendedLevels: Float32Array | undefined

/** The form of rows that are pushed. */
export interface RowForm {
  /** 3 or 4. */
  readonly channels: number
  /** The grey (0…255) behind transparent pixels, or `OPAQUE`. */
  readonly background: number
  /**
   * The same rows of the original, for rows of a distorted image, with as many channels and on the same background.
   * Equal pixels are skipped then, and the sums stay the same. An instance that keeps what was pushed uses that.
   */
  readonly original?: Uint8Array | undefined
}

/** An instance of the module with its own memory, which holds one prepared original at a time. */
export class MetricInstance {
  readonly build: Build
  /** Maximum number of rows in one `push`; more do not fit the input. */
  readonly batchRows: number
  readonly #exports: MetricExports
  #width = 0
  #blends = false
  /** `true` if rows of the original, all or the last ones that were pushed, stay in memory until they are compared. */
  #keepsOriginal = false
  /** Rows of each image that were pushed. */
  readonly #received: [original: number, distorted: number] = [0, 0]

  constructor(build: Build) {
    this.build = build
    this.#exports = new webAssembly.Instance(moduleOf(build)).exports as MetricExports
    this.batchRows = this.#exports.BATCH_ROWS.value
    new Float32Array(this.#exports.memory.buffer, this.#exports.linearTableAddress(), 256).set(BYTE_LEVELS)
  }

  /** Bytes of WebAssembly memory of the instance. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength
  }

  /**
   * Returns the bytes of WebAssembly memory that images of this size, in pixels, need, and forgets what was prepared.
   * The original's pixels are kept beside its planes if so many `instances` of it, one for each background, are small
   * enough.
   */
  measure(width: number, height: number, held: Held, instances: number = 1): number {
    const active = activeChannels(scaleCount(width, height))
    const share = typeof held === 'number' ? held : 1
    const strips = held === 'strips'
    const bytesWith = (keeps: boolean): number =>
      Math.ceil(this.#exports.layout(width, height, active, strips ? 1 : 0, share, keeps ? 1 : 0) / PAGE) * PAGE
    if (held === 'all') {
      this.#keepsOriginal = true
      const bytes = bytesWith(true)
      if (bytes * instances <= MOST_BYTES_WITH_PIXELS) return bytes
    }
    this.#keepsOriginal = strips
    return bytesWith(false)
  }

  /** Makes room for images of this size, in pixels. Returns false if there is not enough memory. */
  prepare(width: number, height: number, held: Held, instances: number = 1): boolean {
    const bytes = this.measure(width, height, held, instances)
    if (bytes > ADDRESSABLE) return false
    const { memory } = this.#exports
    const missing = bytes - memory.buffer.byteLength
    if (missing > 0) {
      try {
        memory.grow(missing / PAGE)
      } catch (error) {
        // WebAssembly reports a lack of memory only in this way. The caller decides what to do then.
        if (error instanceof RangeError) return false
        throw error
      }
    }
    this.#width = width
    this.#blends = false
    return true
  }

  /**
   * Selects one group of rows in `share` as the sample of the next images. With `alone`, only these rows are compared.
   * It must not be called if only a sample of the original is held.
   */
  setSample(share: number, alone: boolean): void {
    this.#exports.setSample(share, alone ? 1 : 0)
  }

  /** Returns the number of rows in the sample of a scale with this height. */
  sampledRows(scale: number, height: number): number {
    return this.#exports.sampledRows(scale, height)
  }

  /** Starts an image at its first row. */
  start(image: typeof ORIGINAL | typeof DISTORTED): void {
    this.#exports.start(image)
    this.#received[image] = 0
  }

  /** Adds the next rows, at most `batchRows`, of interleaved 8-bit pixels. */
  push(image: typeof ORIGINAL | typeof DISTORTED, rows: Uint8Array, form: RowForm): void {
    const { channels, background, original } = form
    const { memory } = this.#exports
    if (background !== OPAQUE && !this.#blends) {
      blendedLevels ??= linearTable(255 * 255)
      new Float32Array(memory.buffer, this.#exports.blendTableAddress(), blendedLevels.length).set(blendedLevels)
      this.#blends = true
    }
    const originalAddress = this.#exports.originalInputAddress(this.#received[image], channels)
    const address = image === ORIGINAL ? originalAddress : this.#exports.inputAddress()
    new Uint8Array(memory.buffer, address, rows.length).set(rows)
    const isCompared = original !== undefined && hasAlike(rows, original, channels)
    if (isCompared && !this.#keepsOriginal) {
      new Uint8Array(memory.buffer, originalAddress, original.length).set(original)
    }
    const count = rows.length / (this.#width * channels)
    this.#exports.push(image, count, channels, background, isCompared ? 1 : 0)
    this.#received[image] += count
  }

  /**
   * Returns the sums of the error maps, by scale, channel, norm and map, for all rows or for the sample. All rows of
   * both images must have been pushed.
   */
  sums(of: 'all' | 'sample' = 'all'): Float64Array {
    const length = MAX_SCALES * CHANNELS * NORMS
    const from = this.#exports.sumsAddress() + (of === 'all' ? 0 : length * Float64Array.BYTES_PER_ELEMENT)
    return new Float64Array(this.#exports.memory.buffer, from, length).slice()
  }
}

const bytesOf = ({ bytes }: MetricInstance): number => bytes
const idle = { simd: createIdleInstances(bytesOf), plain: createIdleInstances(bytesOf) }

/** Returns an instance for one original. The caller gives it back with `releaseInstance`. */
export function acquireInstance(build: Build): MetricInstance {
  return idle[build].take() ?? new MetricInstance(build)
}

/** Returns the smallest instance that waits and has the bytes, which any instance can tell, else the largest. */
function acquireFor(build: Build, bytesNeeded: (any: MetricInstance) => number): MetricInstance {
  const smallest = acquireInstance(build)
  const bytes = bytesNeeded(smallest)
  const other = smallest.bytes < bytes ? idle[build].take(bytes) : undefined
  if (other === undefined) return smallest
  releaseInstance(smallest)
  return other
}

/** Keeps a small instance for the next image. The memory of a large one is freed with the last reference to it. */
export function releaseInstance(instance: MetricInstance): void {
  idle[instance.build].give(instance)
}

/**
 * Returns an instance, of so many for one original, that is ready for images of a size: in strips if planes do not fit
 * into the memory.
 */
export function prepareInstance(
  build: Build,
  { width, height }: { readonly width: number; readonly height: number },
  held: Held,
  instances: number = 1,
): { instance: MetricInstance; held: Held } {
  const instance = acquireFor(build, (any) => any.measure(width, height, held, instances))
  for (const each of [held, 'strips'] as const) {
    if (instance.prepare(width, height, each, instances)) return { instance, held: each }
  }
  throw new PixpressError('INTERNAL', `No memory for comparing images of ${width} × ${height} pixels`)
}

/**
 * Number of pixels that are sampled to predict if it pays to search for equal pixels, and number of equal ones that it
 * takes.
 */
const SAMPLES = 128
const LEAST_ALIKE = 12

/** Returns `true` if enough sampled pixels of some rows are equal. All pixels of alpha 0 are equal. */
export function hasAlike(a: Uint8Array, b: Uint8Array, channels: number): boolean {
  // An odd step visits all columns.
  const step = channels * Math.max(1, (Math.floor(a.length / (channels * SAMPLES)) - 1) | 1)
  let alike = 0
  for (let at = 0; at < a.length; at += step) {
    const isClear = channels === 4 && a[at + 3] === 0
    const sameColour = isClear || (a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2])
    if (sameColour && (channels === 3 || a[at + 3] === b[at + 3])) alike++
    if (alike === LEAST_ALIKE) return true
  }
  return alike * step * 10 >= a.length
}
