/**
 * The compression of GIF where some pixels may be either of two indices: both are followed, and the longer repeat wins.
 */
import { BitWriter } from './bit-writer.ts'
import { Dictionary } from './dictionary.ts'

/** Pixels of a frame to be compressed: each may be its first index or its second, which are mostly the same. */
export interface Choices {
  readonly first: Uint8Array
  readonly second: Uint8Array
  /** Bits of an index, 2 to 8. */
  readonly minimum: number
}

/** Strings of the dictionary that are followed at once where pixels leave a choice. */
const MOST_FOLLOWED = 8

/** Bits of a code once the dictionary is full. */
const FULL_SIZE = 12

/** Repeats of more pixels are not cut short: it takes long to look behind them, and hardly ever pays. */
const LONG = 32

/** Indices of the longest string that a dictionary can hold, and one. */
const MOST_PATH = 4098

/** The bounds of the search. */
export interface LzwEffort {
  /** The most pixels by which a repeat may be cut short where the next one gains by it. */
  readonly look: number
  /**
   * The most codes at the end of a full dictionary that may be left to the next one. Pictures that an encoder changed
   * to repeat more only do where dictionaries begin at the same places as then.
   */
  readonly trim: number
  /** Bytes from which there is no result; by default without a bound. */
  readonly below?: number
}

/** Codes for the pixels from one place to another, and what they take. */
interface Run {
  readonly codes: number[]
  readonly sizes: number[]
  /** The ends of the pixels of each code. */
  readonly ends: number[]
  readonly end: number
  readonly bits: number
}

/** A dictionary begun anew before the end of a run. */
interface Restart {
  /** Codes of the run before it that go. */
  readonly trimmed: number
  readonly run: Run
  readonly dictionary: Dictionary
  /** Bits for each pixel from where all restarts differ. */
  readonly rate: number
}

/** Compresses frames; keeps its tables between them. */
export class LzwEncoder {
  #current = new Dictionary()
  #spare = [new Dictionary(), new Dictionary()]
  readonly #path = new Uint16Array(MOST_PATH)
  readonly #ahead = new Uint16Array(MOST_PATH)
  readonly #followed = new Uint16Array(2 * MOST_FOLLOWED)
  readonly #further = new Uint16Array(2 * MOST_FOLLOWED)

  /** Encodes a frame as bytes, without the lengths of blocks; the first is a clear code. */
  encode(choices: Choices, effort: LzwEffort): Uint8Array | undefined {
    const { first, minimum } = choices
    const clear = 1 << minimum
    const writer = new BitWriter(Math.min(first.length, effort.below ?? Infinity))
    const isWithin = (): boolean => effort.below === undefined || writer.length < effort.below
    writer.write(clear, minimum + 1)
    this.#current.clear(minimum)
    let run = this.#run(this.#current, choices, { from: 0, to: first.length, untilFull: true }, effort.look)
    while (run.end < first.length && isWithin()) {
      const restart = this.#bestRestart(choices, run, effort)
      // A full dictionary stays as long as it takes fewer bits than a new one up to where that is full.
      const span = { from: run.end, to: restart.run.end, untilFull: false }
      const kept = this.#run(this.#current, choices, span, effort.look)
      const from = startOf(run, effort.trim)
      const keptBits = bitsOf(run, effort.trim) + kept.bits
      if (keptBits <= restart.rate * (kept.end - from)) {
        write(writer, run, run.codes.length)
        run = kept
        continue
      }
      write(writer, run, run.codes.length - restart.trimmed)
      writer.write(clear, FULL_SIZE)
      this.#spare = [this.#current, ...this.#spare.filter((each) => each !== restart.dictionary)]
      this.#current = restart.dictionary
      run = restart.run
    }
    write(writer, run, run.codes.length)
    writer.write(clear + 1, this.#current.size)
    return isWithin() ? writer.finish() : undefined
  }

  #bestRestart(choices: Choices, before: Run, { look, trim }: LzwEffort): Restart {
    const most = Math.min(trim, before.codes.length - 1)
    const from = startOf(before, most)
    let best: Restart | undefined
    for (let trimmed = 0; trimmed <= most; trimmed++) {
      const dictionary = this.#spare.find((each) => each !== best?.dictionary)!
      dictionary.clear(choices.minimum)
      const span = { from: startOf(before, trimmed), to: choices.first.length, untilFull: true }
      const run = this.#run(dictionary, choices, span, look)
      const bits = bitsOf(before, most) - bitsOf(before, trimmed) + FULL_SIZE + run.bits
      const rate = bits / (run.end - from)
      if (best === undefined || rate < best.rate) best = { trimmed, run, dictionary, rate }
    }
    return best!
  }

  /** @param span of pixels; `untilFull`: it ends where the dictionary is full */
  #run(
    dictionary: Dictionary,
    choices: Choices,
    { from, to, untilFull }: { from: number; to: number; untilFull: boolean },
    look: number,
  ): Run {
    const codes: number[] = []
    const sizes: number[] = []
    const ends: number[] = []
    let bits = 0
    let at = from
    while (at < to) {
      if (untilFull && dictionary.isFull) break
      const foreseen = this.#foresee(dictionary, choices, at)
      const longest = this.#longest(dictionary, choices, at, this.#path)
      const length = longest <= LONG && look > 0 ? this.#shortened(dictionary, choices, [at, longest], look) : longest
      const code = this.#path[length]!
      at += length
      codes.push(code)
      sizes.push(dictionary.size)
      ends.push(at)
      bits += dictionary.size
      dictionary.follow(code, foreseen)
    }
    return { codes, sizes, ends, end: at, bits }
  }

  #foresee(dictionary: Dictionary, { first, second }: Choices, at: number): number {
    if (dictionary.before === -1) return -1
    const index = dictionary.headOf(dictionary.before)
    return (first[at] === index || second[at] === index) && dictionary.foresee(index) ? index : -1
  }

  /** Returns the length that goes furthest together with the repeat behind it. */
  #shortened(dictionary: Dictionary, choices: Choices, [at, longest]: [number, number], look: number): number {
    let best = longest
    let furthest = longest + this.#longest(dictionary, choices, at + longest, this.#ahead)
    for (let length = longest - 1; length >= Math.max(1, longest - look); length--) {
      const reached = length + this.#longest(dictionary, choices, at + length, this.#ahead)
      if (reached > furthest) [best, furthest] = [length, reached]
    }
    return best
  }

  /**
   * Returns the length of the longest string of the dictionary from a place on. @param path gets the code of each
   * length
   */
  #longest(dictionary: Dictionary, { first, second }: Choices, at: number, path: Uint16Array): number {
    if (at >= first.length) return 0
    const end = Math.min(first.length, at + MOST_PATH - 1)
    let code = first[at]!
    let length = 1
    path[1] = code
    const followed = this.#followed
    let next = at + 1
    let count = 1
    if (second[at] !== code) followed[count++] = second[at]!
    else {
      // Mostly there is nothing to choose.
      for (; next < end && first[next] === second[next]; next++) {
        code = dictionary.child(code, first[next]!)
        if (code === 0) return length
        path[++length] = code
      }
    }
    followed[0] = code
    for (; next < end; next++) {
      count = this.#step(dictionary, count, first[next]!, second[next]!)
      if (count === 0) break
      path[++length] = followed[0]!
    }
    return length
  }

  /** Makes the strings that are followed longer by one of two indices; how many there are. */
  #step(dictionary: Dictionary, count: number, one: number, other: number): number {
    const further = this.#further
    let found = 0
    for (let each = 0; each < count && found < MOST_FOLLOWED; each++) {
      const code = this.#followed[each]!
      const child = dictionary.child(code, one)
      if (child !== 0) further[found++] = child
      if (one === other) continue
      const otherChild = dictionary.child(code, other)
      if (otherChild !== 0) further[found++] = otherChild
    }
    for (let each = 0; each < found; each++) this.#followed[each] = further[each]!
    return found
  }
}

/** Returns where the last codes of a run begin. */
const startOf = ({ ends }: Run, last: number): number => ends[Math.max(0, ends.length - 1 - last)]!

const bitsOf = ({ sizes }: Run, last: number): number =>
  last === 0 ? 0 : sizes.slice(-last).reduce((sum, size) => sum + size, 0)

function write(writer: BitWriter, { codes, sizes }: Run, count: number): void {
  for (let each = 0; each < count; each++) writer.write(codes[each]!, sizes[each]!)
}
