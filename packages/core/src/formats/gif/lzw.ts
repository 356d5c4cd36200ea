/**
 * The compression of GIF: LZW with codes of 3 to 12 bits, the lowest bit first. Source: GIF89a specification, appendix
 * F.
 */

const MOST_CODES = 4096

/** The place of the first string of each code among the pixels, and its length; kept for the next frame. */
const starts = new Uint32Array(MOST_CODES)
const lengths = new Uint16Array(MOST_CODES)

/**
 * Decodes the colour indices of a frame.
 * @param minimum bits of a colour index, from the byte in front of the data
 * @param pixels how many there are; what follows them is ignored
 * @throws Error where the data end early or hold a code that is not defined yet
 */
export function decodeLzw(data: Uint8Array, minimum: number, pixels: number): Uint8Array {
  if (minimum < 1 || minimum > 11) throw new Error(`a frame has colour indices of ${minimum} bits`)
  const clear = 1 << minimum
  const end = clear + 1
  const indices = new Uint8Array(pixels)
  let [size, next, before, start] = [minimum + 1, end + 1, -1, 0]
  let [bits, held, at, filled] = [0, 0, 0, 0]
  while (filled < pixels) {
    while (held < size) {
      if (at === data.length) throw new Error('a frame is truncated')
      bits |= data[at++]! << held
      held += 8
    }
    const code = bits & ((1 << size) - 1)
    bits >>>= size
    held -= size
    if (code === end) throw new Error('a frame ends early')
    if (code === clear) {
      ;[size, next, before] = [minimum + 1, end + 1, -1]
      continue
    }
    if (code > next || (code === next && before === -1)) throw new Error('a frame has an undefined code')
    // A code repeats the string before it and one index more, which stand in the pixels already.
    if (before !== -1 && next < MOST_CODES) {
      starts[next] = start
      lengths[next] = (before < clear ? 1 : lengths[before]!) + 1
      next++
      if (next === 1 << size && size < 12) size++
    }
    start = filled
    if (code < clear) indices[filled++] = code
    else {
      const stop = Math.min(pixels, filled + lengths[code]!)
      for (let from = starts[code]!; filled < stop; from++) indices[filled++] = indices[from]!
    }
    before = code
  }
  return indices
}
