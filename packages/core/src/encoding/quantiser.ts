import { countHeldEntries } from '../quality/guards/entries.ts'
import type { EntryCounter } from '../quality/guards/entries.ts'
import type { Place } from '../quality/guards/limits.ts'
import { snapSeparated } from '../quality/guards/snap.ts'
import type { Indexed } from '../quality/guards/snap.ts'
import type { Pixels } from '../quality/metric/ssimulacra2.ts'
import { createIdleInstances } from '../quality/metric/idle-memory.ts'
import { moduleBytes, webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { PALETTE_MODULE } from './quantiser.wasm.ts'

/** Options that decide which palette entry a pixel gets. */
export interface Mapping {
  /** Share of the error that is diffused, 0 to 1. Default: 0. */
  readonly dither?: number
  /**
   * Squared distance by which an entry may be further away than the nearest one if it repeats the pixel above or to the
   * left. It applies without dithering. Default: 0.
   */
  readonly tolerance?: number
}

/** A picture reduced to few colours. */
export interface Quantised extends Indexed {
  /**
   * The pixels of the palette's colours, with the picture's channels. They are valid until the next `map`, `paint` or
   * `dispose`.
   */
  readonly pixels: Uint8Array
}

/** Palettes of one picture. Alpha values of 0 and 255 and the colours of large flat areas stay exact. */
export interface Quantiser {
  /** Number of colours of the largest palette, at most 256. */
  readonly largest: number
  /** Estimates the mean squared error of a pixel for a number of colours, weighted by visibility. */
  errorOf(colours: number): number
  /** Trains the palettes again, with more weight on the colours of the 8 × 8 pixels from a place on. */
  emphasise(place: Place): void
  /**
   * Reduces the picture to at most so many colours, the most frequent first. Entries that no pixel uses are left out.
   */
  map(colours: number, mapping: Mapping): Quantised
  /**
   * Returns the pixels of a palette's colours, with the picture's channels. They are valid until the next `map`,
   * `paint` or `dispose`.
   */
  paint(indexed: Indexed): Uint8Array
  /** Releases the memory. */
  dispose(): void
}

/** Exports of assembly/palette.ts. */
interface PaletteExports extends EntryCounter {
  layout(width: number, height: number, channels: number): number
  sourceAddress(): number
  indicesAddress(): number
  paintedAddress(): number
  paletteAddress(): number
  errorsAddress(): number
  train(): number
  trainAgain(): number
  emphasise(left: number, top: number, side: number, factor: number): void
  errorOfLargest(): number
  weight(): number
  choose(colours: number): void
  map(dither: number, tolerance: number): number
  paint(): void
}

const PAGE = 65_536
const MOST_COLOURS = 256

/** Pixels of the largest picture that gets palettes. Each takes 12 bytes of memory, or 10 if all are opaque. */
const MOST_PIXELS = 50_000_000

/**
 * Square of pixels whose colours weigh more, as a multiple. Half and twice as much weight made as many of 613 pictures
 * larger as smaller, and so did squares of 16 and 24 pixels for the guards that measure by those.
 */
const EMPHASIS = { side: 8, factor: 8 }

/** Error that rounding to bytes adds, in squared levels. */
const ROUNDING = 0.01

let compiled: WebAssemblyModule | undefined
const idle = createIdleInstances(({ memory }: PaletteExports) => memory.buffer.byteLength)

function newEngine(): PaletteExports {
  compiled ??= new webAssembly.Module(moduleBytes(PALETTE_MODULE))
  return new webAssembly.Instance(compiled).exports as PaletteExports
}

/** Reads the size and the errors of the palettes that a training has made. */
function training(engine: PaletteExports, largest: number): Pick<Quantiser, 'largest' | 'errorOf'> {
  const errors = new Float64Array(engine.memory.buffer, engine.errorsAddress(), MOST_COLOURS + 1).slice()
  const weight = engine.weight()
  const floor = engine.errorOfLargest() / weight + ROUNDING
  return { largest, errorOf: (colours) => errors[Math.min(colours, largest)]! / weight + floor }
}

/**
 * Creates palettes for a picture and copies its pixels. Returns `undefined` if the picture is too large for the memory.
 */
export function createQuantiser(picture: Pixels): Quantiser | undefined {
  const { data, width, height, channels } = picture
  const pixels = width * height
  if (pixels > MOST_PIXELS) return undefined
  const engine = idle.take() ?? newEngine()
  const { memory } = engine
  const missing = engine.layout(width, height, channels) - memory.buffer.byteLength
  try {
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  } catch (error) {
    // WebAssembly reports a lack of memory only in this way.
    if (error instanceof RangeError) return undefined
    throw error
  }
  const bytes = (address: number, length: number): Uint8Array => new Uint8Array(memory.buffer, address, length)
  bytes(engine.sourceAddress(), data.length).set(data)
  let trained = training(engine, engine.train())
  const held = { pixels, channels, source: engine.sourceAddress(), indices: engine.indicesAddress() }
  return {
    get largest() {
      return trained.largest
    },
    errorOf: (colours) => trained.errorOf(colours),
    emphasise({ x, y }) {
      engine.emphasise(x, y, EMPHASIS.side, EMPHASIS.factor)
      trained = training(engine, engine.trainAgain())
    },
    map(colours, { dither = 0, tolerance = 0 }) {
      engine.choose(Math.min(colours, trained.largest))
      const used = engine.map(dither, tolerance)
      const indices = bytes(engine.indicesAddress(), pixels)
      const palette = snapSeparated(countHeldEntries(engine, held), bytes(engine.paletteAddress(), 4 * used))
      bytes(engine.paletteAddress(), 4 * used).set(palette)
      engine.paint()
      return { indices, palette, pixels: bytes(engine.paintedAddress(), data.length) }
    },
    paint({ indices, palette }) {
      bytes(engine.indicesAddress(), pixels).set(indices)
      bytes(engine.paletteAddress(), palette.length).set(palette)
      engine.paint()
      return bytes(engine.paintedAddress(), data.length)
    },
    dispose() {
      idle.give(engine)
    },
  }
}
