/**
 * The compression of GIF: LZW with codes of 3 to 12 bits, the lowest bit first. Source: GIF89a specification, appendix
 * F.
 */

const MOST_CODES = 4096

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
  const prefix = new Uint16Array(MOST_CODES)
  const last = new Uint8Array(MOST_CODES)
  const length = new Uint16Array(MOST_CODES)
  for (let code = 0; code < clear; code++) {
    last[code] = code
    length[code] = 1
  }
  const indices = new Uint8Array(pixels)
  let [size, next, before, first] = [minimum + 1, end + 1, -1, 0]
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
    // The one code that is not defined yet repeats the string before it, with its first index behind.
    const isNext = code === next
    const known = isNext ? before : code
    const run = length[known]!
    let to = filled + run
    for (let each = known, left = run; left > 0; left--, each = prefix[each]!) {
      first = last[each]!
      if (--to < pixels) indices[to] = first
    }
    filled += run
    if (isNext && filled < pixels) indices[filled] = first
    if (isNext) filled++
    if (before !== -1 && next < MOST_CODES) {
      prefix[next] = before
      last[next] = first
      length[next] = length[before]! + 1
      next++
      if (next === 1 << size && size < 12) size++
    }
    before = code
  }
  return indices
}
