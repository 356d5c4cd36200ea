import { createHash } from 'node:crypto'

/**
 * Makes a source of random numbers that is the same for the same words, on every machine (mulberry32).
 * @param {...(string | number)} words what it is made from
 */
export function randomOf(...words) {
  let state = createHash('sha256').update(words.join('\0')).digest().readInt32LE(0)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from 0 to one below `bound`. */
  const below = (bound) => Math.floor(next() * bound)
  return { below, pick: (list) => list[below(list.length)] }
}
