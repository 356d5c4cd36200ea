import { concatBytes } from '../../metadata/bytes.ts'
import type { Colours } from './canvas.ts'
import type { Difference } from './difference.ts'
import { indexFrame, ownPalette } from './index-frame.ts'
import type { Census } from './index-frame.ts'
import { LzwEncoder } from './lzw-encode.ts'
import type { Choices } from './lzw-encode.ts'
import { BLOCK, EXTENSION } from './metadata.ts'
import { bitsFor } from './palettes.ts'
import type { Palette } from './palettes.ts'
import type { GifFrame } from './read.ts'

/** Codes at the end of a full dictionary that encoders leave unused: gifsicle up to three. */
const MOST_TRIMMED = 3

/** Bytes from which a frame's codes fill more than one dictionary. */
const SEVERAL_DICTIONARIES = 5000

/** Bytes of a block at most. */
const BLOCK_BYTES = 255

/** A frame's compressed pixels, and what they are indices of. */
interface Written {
  readonly data: Uint8Array
  readonly way: Choices
  readonly transparent: number | undefined
  /** `undefined` where it is the shared one. */
  readonly own: Palette | undefined
}

/** Writes the frames of one animation, then its header, which says what they share. */
export class FrameWriter {
  readonly #encoder = new LzwEncoder()
  readonly #shared: Palette
  readonly #colours: Colours
  readonly #stride: number
  /** Bits of the shared palette's places; 0 while no frame uses it. */
  #sharedBits = 0

  readonly #look: number

  /**
   * @param stride pixels of a line of the canvas
   * @param look by how many pixels a repeat may be cut short where the next one gains by it
   */
  constructor(shared: Palette, colours: Colours, stride: number, look: number) {
    this.#look = look
    this.#shared = shared
    this.#colours = colours
    this.#stride = stride
  }

  /**
   * Writes the blocks of a frame with the fewest bytes.
   * @param source the frame of which it keeps the time
   * @throws Error where it has more colours than a palette
   */
  write(difference: Difference, census: Census, source: GifFrame): Uint8Array {
    const written = this.#smallest(difference, census)
    if (written === undefined) throw new Error('a frame has too many colours')
    const { data, way, transparent, own } = written
    if (own === undefined) {
      const entries = Math.max(this.#shared.numbers.length, (transparent ?? 0) + 1)
      this.#sharedBits = Math.max(this.#sharedBits, bitsFor(entries))
    }
    const ownBits = own && bitsFor(Math.max(own.numbers.length, (transparent ?? 0) + 1))
    return concatBytes([
      controlOf(difference, source, transparent),
      Uint8Array.of(BLOCK.image),
      ...[difference.left, difference.top, difference.width, difference.height].map(uint16Bytes),
      Uint8Array.of(ownBits === undefined ? 0 : 0x80 | (ownBits - 1)),
      ...(own === undefined ? [] : [this.#table(own, ownBits!)]),
      Uint8Array.of(way.minimum),
      inBlocks(data),
    ])
  }

  /** Writes the bytes that precede all frames. @param source the file whose size and pixel shape are kept */
  header(source: Uint8Array): Uint8Array {
    const bits = this.#sharedBits
    const packed = (source[10]! & 0x70) | (bits === 0 ? 0 : 0x80 | (bits - 1))
    const table = bits === 0 ? new Uint8Array() : this.#table(this.#shared, bits)
    const screen = [source.subarray(6, 10), Uint8Array.of(packed, 0, source[12]!)]
    return concatBytes([Buffer.from('GIF89a'), ...screen, table])
  }

  #smallest(difference: Difference, census: Census): Written | undefined {
    const own = ownPalette(census)
    let smallest: Written | undefined
    let fewest = Number.MAX_SAFE_INTEGER
    for (const palette of [this.#shared, own]) {
      const isOwn = palette === own
      // A palette of its own can only save where it makes indices smaller.
      if (isOwn && smallest !== undefined && bitsFor(own.numbers.length) >= smallest.way.minimum) continue
      const indexed = indexFrame(difference, this.#stride, census, palette)
      if (indexed === undefined) continue
      for (const way of indexed.ways) {
        const table = isOwn ? 3 << bitsFor(own.numbers.length) : 0
        const data = this.#encoder.encode(way, { look: 0, trim: 0, below: fewest - table })
        if (data === undefined) continue
        fewest = data.length + table
        smallest = { data, way, transparent: indexed.transparent, own: isOwn ? own : undefined }
      }
    }
    return smallest && { ...smallest, data: this.#improved(smallest) }
  }

  #improved({ data, way }: Written): Uint8Array {
    const trimmed =
      data.length < SEVERAL_DICTIONARIES
        ? data
        : (this.#encoder.encode(way, { look: 0, trim: MOST_TRIMMED, below: data.length }) ?? data)
    if (this.#look === 0) return trimmed
    return this.#encoder.encode(way, { look: this.#look, trim: 0, below: trimmed.length }) ?? trimmed
  }

  #table({ numbers }: Palette, bits: number): Uint8Array {
    const table = new Uint8Array(3 << bits)
    for (const [place, number] of numbers.entries()) {
      const colour = this.#colours.colourOf(number)
      table.set([colour >> 16, (colour >> 8) & 255, colour & 255], 3 * place)
    }
    return table
  }
}

const uint16Bytes = (value: number): Uint8Array => Uint8Array.of(value & 255, value >> 8)

/** Writes the control block; none where the source has none and nothing is to be said. */
function controlOf(
  { disposal }: Difference,
  { delay, waits, isControlled }: GifFrame,
  transparent: number | undefined,
): Uint8Array {
  if (!isControlled && disposal === 0 && transparent === undefined) return new Uint8Array()
  const packed = (disposal << 2) | (waits ? 2 : 0) | (transparent === undefined ? 0 : 1)
  const [low, high] = uint16Bytes(delay)
  return Uint8Array.of(BLOCK.extension, EXTENSION.control, 4, packed, low!, high!, transparent ?? 0, 0)
}

function inBlocks(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = 0; at < data.length; at += BLOCK_BYTES) {
    const block = data.subarray(at, at + BLOCK_BYTES)
    parts.push(Uint8Array.of(block.length), block)
  }
  return concatBytes([...parts, Uint8Array.of(0)])
}
