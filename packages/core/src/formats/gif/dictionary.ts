/** The dictionary of LZW as a decoder of GIF builds it. Source: GIF89a specification, appendix F. */

export const MOST_CODES = 4096
const LARGEST_SIZE = 12

/** Stamps that fit beside a code of 12 bits. */
const MOST_STAMPS = 1 << 20

/**
 * Its codes, in a table that is emptied by counting on a stamp. Frames of few colours use a small part of it, which
 * stays in the processor's caches.
 */
export class Dictionary {
  readonly #children = new Uint32Array(MOST_CODES << 8)
  readonly #head = new Uint8Array(MOST_CODES)
  #stamp = 0
  #minimum = 0
  size = 0
  next = 0
  /** The code before, which the next one makes longer; -1 after a clear code. */
  before = -1

  clear(minimum: number): void {
    if (++this.#stamp === MOST_STAMPS) {
      this.#children.fill(0)
      this.#stamp = 1
    }
    this.#minimum = minimum
    this.size = minimum + 1
    this.next = (1 << minimum) + 2
    this.before = -1
  }

  get isFull(): boolean {
    return this.next === MOST_CODES
  }

  headOf(code: number): number {
    return code < 1 << this.#minimum ? code : this.#head[code]!
  }

  /** Returns the code of a string with one index more; 0 where there is none. */
  child(code: number, index: number): number {
    const entry = this.#children[(code << this.#minimum) | index]!
    return entry >>> 12 === this.#stamp ? entry & 4095 : 0
  }

  /** Lets the code that is about to be defined be found, which repeats the first index of the string before it. */
  foresee(index: number): boolean {
    if (this.before === -1 || this.isFull || this.child(this.before, index) !== 0) return false
    this.#put(this.before, index)
    return true
  }

  /**
   * Does what a decoder does when it has read a code. @param foreseen the index of `foresee`; -1 where there was none
   */
  follow(code: number, foreseen: number): void {
    if (this.before !== -1 && !this.isFull) {
      const index = this.headOf(code)
      if (foreseen !== -1 && foreseen !== index) this.#children[(this.before << this.#minimum) | foreseen] = 0
      if (this.child(this.before, index) === 0) this.#put(this.before, index)
      this.next++
      if (this.next === 1 << this.size && this.size < LARGEST_SIZE) this.size++
    }
    this.before = code
  }

  #put(code: number, index: number): void {
    this.#children[(code << this.#minimum) | index] = ((this.#stamp << 12) | this.next) >>> 0
    this.#head[this.next] = this.headOf(code)
  }
}
