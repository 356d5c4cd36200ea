/** Frames that are drawn over each other on one canvas, as formats of animations store them. */
import { framesAtOnce, isLong, readInPieces } from './frame-source.ts'
import type { FrameSource } from './frame-source.ts'
import type { Frames, Part } from './frames.ts'

/** The drawing of one animation's frames. */
export interface Painter {
  /** Draws a frame on what the frame before left; pixels are one number each. */
  draw(canvas: Uint32Array, index: number): Promise<void> | void
  /** Tells whether a frame covers all of the canvas, so that nothing before it is seen. */
  isWhole(index: number): boolean
}

/**
 * Gives frames that are drawn in pieces, each of which goes on where the one before has ended.
 * @param createPainter called for each canvas
 */
export function composeInPieces(size: Omit<Frames, 'data'>, createPainter: () => Painter): FrameSource {
  const together = new Composer(size, createPainter())
  const source = readInPieces(size, (part) => together.decode(part), framesAtOnce(size, true))
  if (!isLong(size)) return source
  const apart = new Composer(size, createPainter())
  return { ...source, apart: readInPieces(size, (part) => apart.decode(part), 1) }
}

class Composer {
  readonly #painter: Painter
  readonly #canvas: Uint32Array
  #room = Buffer.alloc(0)
  #next = 0

  constructor({ width, height }: Omit<Frames, 'data'>, painter: Painter) {
    this.#canvas = new Uint32Array(width * height)
    this.#painter = painter
  }

  /** Returns some frames, which take the place of those that it gave before. */
  async decode({ page, pages }: Part): Promise<Pick<Frames, 'data'>> {
    await this.#goTo(page)
    const bytes = new Uint8Array(this.#canvas.buffer)
    if (this.#room.length < pages * bytes.length) this.#room = Buffer.allocUnsafe(pages * bytes.length)
    for (let at = 0; at < pages; at++) {
      await this.#painter.draw(this.#canvas, this.#next++)
      this.#room.set(bytes, at * bytes.length)
    }
    return { data: this.#room }
  }

  async #goTo(page: number): Promise<void> {
    let start = page
    while (start > 0 && !this.#painter.isWhole(start)) start--
    if (page < this.#next || start > this.#next) {
      this.#canvas.fill(0)
      this.#next = start
    }
    while (this.#next < page) await this.#painter.draw(this.#canvas, this.#next++)
  }
}
