import { countHeldEntries } from '../quality/guards/entries.ts'
import type { EntryCounter } from '../quality/guards/entries.ts'
import { snapByCounts } from '../quality/guards/snap.ts'
import type { Indexed } from '../quality/guards/snap.ts'
import type { Pixels } from '../quality/metric/ssimulacra2.ts'
import { webAssembly } from '../quality/metric/webassembly.ts'
import type { WebAssemblyModule } from '../quality/metric/webassembly.ts'
import { PALETTE_MODULE } from './quantiser.wasm.ts'

/** How pixels get their entries. */
export interface Mapping {
  /** The share of an error that is diffused, 0 to 1; 0 when not given. */
  readonly dither?: number
  /**
   * Without dithering: a squared distance by which an entry may be further than the nearest where it repeats what is above
   * or before; 0 when not given.
   */
  readonly tolerance?: number
}

/** A picture in few colours. */
export interface Quantised extends Indexed {
  /** What it shows, with the picture's channels; valid until the next `map`, `paint` or `dispose`. */
  readonly pixels: Uint8Array
}

/** Palettes of one picture. Alpha 0 and 255 stay what they are, and so do the colours of large flat areas. */
export interface Quantiser {
  /** Colours of the largest palette, at most 256. */
  readonly largest: number
  /** The mean squared error of a pixel, weighted by how much it is seen, that a number of colours makes, about. */
  errorOf(colours: number): number
  /** The picture in at most so many colours, the frequent ones first; entries that no pixel has are left out. */
  map(colours: number, mapping: Mapping): Quantised
  /** What a palette shows, with the picture's channels; valid until the next `map`, `paint` or `dispose`. */
  paint(indexed: Indexed): Uint8Array
  /** Lets go of the memory. */
  dispose(): void
}

/** What assembly/palette.ts exports. */
interface PaletteExports extends EntryCounter {
  layout(width: number, height: number, channels: number): number
  sourceAddress(): number
  indicesAddress(): number
  paintedAddress(): number
  paletteAddress(): number
  errorsAddress(): number
  train(): number
  errorOfLargest(): number
  weight(): number
  choose(colours: number): void
  map(dither: number, tolerance: number): number
  paint(): void
}

const PAGE = 65_536
const MOST_COLOURS = 256

/** Pixels of the largest picture that palettes are made of: they take 12 bytes of memory each, 10 where all are opaque. */
const MOST_PIXELS = 50_000_000

/** Memory up to which an engine is kept for the next picture: about two megapixels. */
const IDLE_BYTES = 32 * 2 ** 20

/** Added to an error, as a share of a level's square: rounding to bytes alone makes some. */
const ROUNDING = 0.01

let compiled: WebAssemblyModule | undefined
const idle: PaletteExports[] = []

function newEngine(): PaletteExports {
  compiled ??= new webAssembly.Module(Buffer.from(PALETTE_MODULE, 'base64'))
  return new webAssembly.Instance(compiled).exports as PaletteExports
}

/** Palettes for a picture, whose pixels are copied. `undefined` where it is so large that it would take too much memory. */
export function createQuantiser(picture: Pixels): Quantiser | undefined {
  const { data, width, height, channels } = picture
  const pixels = width * height
  if (pixels > MOST_PIXELS) return undefined
  const engine = idle.pop() ?? newEngine()
  const { memory } = engine
  const missing = engine.layout(width, height, channels) - memory.buffer.byteLength
  try {
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  } catch (error) {
    // The one way in which WebAssembly reports that the machine has no more memory.
    if (error instanceof RangeError) return undefined
    throw error
  }
  const bytes = (address: number, length: number): Uint8Array => new Uint8Array(memory.buffer, address, length)
  bytes(engine.sourceAddress(), data.length).set(data)
  const largest = engine.train()
  const errors = new Float64Array(memory.buffer, engine.errorsAddress(), MOST_COLOURS + 1).slice()
  const floor = engine.errorOfLargest() / engine.weight() + ROUNDING
  const weight = engine.weight()
  const held = { pixels, channels, source: engine.sourceAddress(), indices: engine.indicesAddress() }
  return {
    largest,
    errorOf: (colours) => errors[Math.min(colours, largest)]! / weight + floor,
    map(colours, { dither = 0, tolerance = 0 }) {
      const wanted = Math.min(colours, largest)
      engine.choose(wanted)
      const used = engine.map(dither, tolerance)
      const indices = bytes(engine.indicesAddress(), pixels)
      const palette = snapByCounts(countHeldEntries(engine, held), bytes(engine.paletteAddress(), 4 * used)).slice()
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
      if (memory.buffer.byteLength <= IDLE_BYTES && !idle.includes(engine)) idle.push(engine)
    },
  }
}
