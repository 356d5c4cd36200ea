/** Hexadecimal digits of a key: SHA-256. */
export const KEY_LENGTH = 64

/**
 * Lines that begin with a key, as they stand in a file: found by their keys, without an object for each. Lines are
 * counted from 0.
 */
export interface LineTable {
  readonly length: number
  /** The last line with a key; `undefined`: there is none. */
  find(key: string): number | undefined
  keyOf(line: number): string
  /** The line without its key. */
  restOf(line: number): string
  /** The whole line, with its line break. */
  bytesOf(line: number): Uint8Array
}

/**
 * @param body is kept; of what stands behind the last line break nothing is found
 * @param from where the first line begins
 */
export function createLineTable(body: Buffer, from: number): LineTable {
  const starts = startsOf(body, from)
  const length = starts.length - 1
  const slots = new Int32Array(capacityFor(length))
  const mask = slots.length - 1

  const hasKey = (line: number, key: string): boolean => {
    const start = starts[line]!
    for (let at = KEY_LENGTH - 1; at >= 0; at--) if (body[start + at] !== key.charCodeAt(at)) return false
    return true
  }
  /** The slot of a key, or the free one where it belongs. Slots hold lines counted from 1. */
  const slotOf = (key: string): number => {
    let slot = spread(key) & mask
    while (slots[slot] !== 0 && !hasKey(slots[slot]! - 1, key)) slot = (slot + 1) & mask
    return slot
  }
  const keyOf = (line: number): string => body.toString('latin1', starts[line]!, starts[line]! + KEY_LENGTH)
  for (let line = 0; line < length; line++) slots[slotOf(keyOf(line))] = line + 1

  return {
    length,
    find(key) {
      const line = key.length === KEY_LENGTH ? slots[slotOf(key)]! : 0
      return line === 0 ? undefined : line - 1
    },
    keyOf,
    restOf: (line) => body.toString('latin1', starts[line]! + KEY_LENGTH, starts[line + 1]! - 1),
    bytesOf: (line) => body.subarray(starts[line]!, starts[line + 1]!),
  }
}

/** Where each line begins, and where the last one ends. */
function startsOf(body: Buffer, from: number): Uint32Array {
  const starts = new Uint32Array(Math.floor((body.length - from) / (KEY_LENGTH + 1)) + 2)
  let count = 0
  let start = from
  for (;;) {
    starts[count] = start
    const end = body.indexOf(LINE_BREAK, start + KEY_LENGTH)
    if (end === -1) return starts.subarray(0, count + 1)
    start = end + 1
    count++
  }
}

const LINE_BREAK = 0x0a

/** Twice as many slots as lines at least, so that most keys stand where they belong. */
const capacityFor = (lines: number): number => 2 ** Math.ceil(Math.log2(2 * lines + 2))

/** Keys are digests, any few digits of which are as good as random: these are 32 bits. */
const DIGITS = 8

function spread(key: string): number {
  let bits = 0
  for (let at = 0; at < DIGITS; at++) {
    const code = key.charCodeAt(at)
    bits = (bits << 4) | (code < LETTERS ? code - ZERO : code - LETTERS + 10)
  }
  return bits
}

const ZERO = 0x30
const LETTERS = 0x61
