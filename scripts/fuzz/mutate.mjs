/** Numbers at which readers of lengths, counts and offsets go wrong. */
const EDGES = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
]

/** At most so many changes are made to one file. */
const MOST_CHANGES = 8

/** Ways to change a file. Each gets the bytes, the part that is to be changed, and another file of the corpus. */
const CHANGES = {
  flipBit(bytes, { at, random }) {
    bytes[at] ^= 1 << random.below(8)
    return bytes
  },
  setByte(bytes, { at, random }) {
    bytes[at] = random.below(256)
    return bytes
  },
  setNumber(bytes, { at, random }) {
    const size = random.pick([1, 2, 4])
    const value = random.pick(EDGES)
    for (let place = 0; place < size && at + place < bytes.length; place++) {
      const shift = random.below(2) === 0 ? place : size - 1 - place
      bytes[at + place] = Math.floor(value / 256 ** shift) % 256
    }
    return bytes
  },
  remove(bytes, { at, random }) {
    const length = 1 + random.below(Math.min(64, bytes.length - at))
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
  },
  repeat(bytes, { at, random }) {
    const part = bytes.subarray(at, at + 1 + random.below(64))
    const times = 1 + random.below(8)
    return Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: times }, () => part), bytes.subarray(at)])
  },
  insert(bytes, { at, random }) {
    const part = Buffer.from(Array.from({ length: 1 + random.below(16) }, () => random.below(256)))
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
  },
  cutOff: (bytes, { at }) => bytes.subarray(0, at),
  splice(bytes, { at, other, random }) {
    const from = random.below(other.length)
    const part = other.subarray(from, from + 1 + random.below(256))
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at + (random.below(2) === 0 ? part.length : 0))])
  },
}

/** The changes by weight: most keep the structure, so that readers get further in. */
const WEIGHTED =
  'flipBit flipBit setByte setByte setNumber setNumber setNumber remove repeat insert splice splice cutOff'.split(' ')

/**
 * How a file is damaged.
 * @typedef {object} Damage
 * @property {ReturnType<typeof import('./random.mjs').randomOf>} random
 * @property {Buffer} other another file of the corpus, of which parts are taken
 * @property {(bytes: Buffer) => number[]} [region] begin and end of the part that is changed. Default: the whole file
 * @property {(bytes: Buffer) => Buffer} [mend] puts checksums right, without which readers stop at once
 * @property {readonly string[]} [words] pieces of the language of texts, which are inserted
 */

/**
 * Changes a file in up to eight places.
 * @param {Buffer} source
 * @param {Damage} damage
 */
export function mutate(
  source,
  { random, other, region = (bytes) => [0, bytes.length], mend = (bytes) => bytes, words },
) {
  let bytes = Buffer.from(source)
  for (let left = 1 + random.below(MOST_CHANGES); left > 0 && bytes.length > 0; left--) {
    const [from, to] = region(bytes)
    const at = Math.min(from + random.below(Math.max(1, to - from)), bytes.length - 1)
    if (words !== undefined && random.below(2) === 0) {
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(words)), bytes.subarray(at)])
    } else bytes = Buffer.from(CHANGES[random.pick(WEIGHTED)](bytes, { at, random, other }))
  }
  return mend(bytes)
}

/** Puts the checksums of a PNG's chunks right, as far as their lengths can be followed. */
export function mendPng(bytes) {
  const mended = Buffer.from(bytes)
  for (let at = 8; at + 12 <= mended.length;) {
    const end = at + 8 + mended.readUInt32BE(at)
    if (end + 4 > mended.length) break
    mended.writeUInt32BE(crcOf(mended.subarray(at + 4, end)), end)
    at = end + 4
  }
  return mended
}

/** The part of a JPEG that holds its colour profile; the whole file where it has none. */
export function profileOfJpeg(bytes) {
  const at = bytes.indexOf('ICC_PROFILE\0', 0, 'latin1')
  if (at < 4) return [0, bytes.length]
  return [at + 14, Math.min(bytes.length, at - 2 + bytes.readUInt16BE(at - 2))]
}

/** The part of a JPEG before its pixels, with all of its metadata. */
export function headOfJpeg(bytes) {
  const at = bytes.indexOf(Buffer.from([0xff, 0xda]))
  return [2, at === -1 ? bytes.length : at]
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

/** The checksum of a PNG's chunk. Node has had its own since 22.2. */
function crcOf(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 0xff] ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}
