/**
 * The frames of a GIF as browsers show them, one at a time: a canvas of colour numbers takes half the memory of pixels.
 */
import { decodeLzw } from './lzw.ts'
import { DISPOSAL, compressedPixels } from './read.ts'
import type { Gif, GifFrame } from './read.ts'
import { storedLines } from './compose.ts'

/** The number of what shows what is behind the image. */
export const CLEAR = 0

/** Numbers that 16 bits hold. */
const MOST_COLOURS = 65_535

/** The colours of animations, numbered from 1 in the order in which they are met. */
export class Colours {
  readonly #numbers = new Map<number, number>()
  readonly #colours: number[] = [0]

  get count(): number {
    return this.#colours.length - 1
  }

  /** Returns a colour with red in the highest of 24 bits. */
  colourOf(number: number): number {
    return this.#colours[number]!
  }

  /** @throws Error where there are more than fit into 16 bits */
  numberOf(colour: number): number {
    const known = this.#numbers.get(colour)
    if (known !== undefined) return known
    const number = this.#colours.push(colour) - 1
    if (number > MOST_COLOURS) throw new Error('the frames have too many colours')
    this.#numbers.set(colour, number)
    return number
  }
}

/** The mask of the pixels of its area that a stored frame draws. */
export interface Drawn extends Area {
  /** 1 for each that has a colour, line after line. */
  readonly mask: Uint8Array
}

/** Draws frame after frame. */
export class Canvas {
  /** Numbers of colours; of the last frame that was drawn. */
  readonly pixels: Uint16Array
  readonly #restored: Uint16Array | undefined
  readonly #source: Uint8Array
  readonly #gif: Gif
  readonly #colours: Colours
  #shown = 0

  constructor(source: Uint8Array, gif: Gif, colours: Colours) {
    const size = gif.width * gif.height
    this.pixels = new Uint16Array(size)
    if (gif.frames.some(({ disposal }) => disposal === DISPOSAL.previous)) this.#restored = new Uint16Array(size)
    this.#source = source
    this.#gif = gif
    this.#colours = colours
  }

  /**
   * Shows the next frame; `undefined` where there is none.
   * @throws Error where its pixels cannot be decoded
   */
  draw(): Drawn | undefined {
    const frame = this.#gif.frames[this.#shown]
    if (frame === undefined) return undefined
    const last = this.#gif.frames[this.#shown - 1]
    if (last !== undefined) this.#dispose(last)
    if (frame.disposal === DISPOSAL.previous) this.#restored!.set(this.pixels)
    const indices = decodeLzw(compressedPixels(this.#source, frame), frame.minimum, frame.width * frame.height)
    const numbers = numbersOf(frame, indices, this.#colours)
    const { left, top, width, height } = frame
    const mask = frame.interlaced ? new Uint8Array(width * height) : indices
    const drawing = { pixels: this.pixels, numbers, indices, mask, width }
    const lines = frame.interlaced ? storedLines(frame) : undefined
    for (let line = 0; line < height; line++) {
      const y = lines === undefined ? line : lines[line]!
      drawLine(drawing, { from: line * width, to: y * width, at: (top + y) * this.#gif.width + left })
    }
    this.#shown++
    return { left, top, width, height, mask }
  }

  #dispose({ disposal, left, top, width, height }: GifFrame): void {
    if (disposal === DISPOSAL.previous) this.pixels.set(this.#restored!)
    else if (disposal === DISPOSAL.background) {
      clearArea(this.pixels, this.#gif.width, { left, top, width, height })
    }
  }
}

/** A frame on its way to a canvas. */
interface Drawing {
  readonly pixels: Uint16Array
  readonly numbers: Uint16Array
  readonly indices: Uint8Array
  /** May stand in the place of the indices. */
  readonly mask: Uint8Array
  /** Pixels of a line of the frame. */
  readonly width: number
}

/** Draws the line whose indices begin at `from`; its mask begins at `to`, its pixels at `at`. */
function drawLine(
  { pixels, numbers, indices, mask, width }: Drawing,
  { from, to, at }: { from: number; to: number; at: number },
): void {
  for (let x = 0; x < width; x++) {
    const number = numbers[indices[from + x]!]!
    if (number === CLEAR) mask[to + x] = 0
    else {
      mask[to + x] = 1
      pixels[at + x] = number
    }
  }
}

/** A place on a canvas, pixels. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Makes an area of a canvas clear. */
export function clearArea(pixels: Uint16Array, stride: number, { left, top, width, height }: Area): void {
  for (let y = top; y < top + height; y++) pixels.fill(CLEAR, y * stride + left, y * stride + left + width)
}

/** Returns the number of each index that occurs. Browsers show one beyond the palette as black. */
function numbersOf({ palette, transparent }: GifFrame, indices: Uint8Array, colours: Colours): Uint16Array {
  const occurs = new Uint8Array(256)
  for (const index of indices) occurs[index] = 1
  const numbers = new Uint16Array(256)
  for (let index = 0; index < 256; index++) {
    if (occurs[index] === 0 || index === transparent) continue
    const at = 3 * index
    const colour = at < palette.length ? (palette[at]! << 16) | (palette[at + 1]! << 8) | palette[at + 2]! : 0
    numbers[index] = colours.numberOf(colour)
  }
  return numbers
}
