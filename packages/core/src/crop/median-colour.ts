/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** The median of each channel of 8-bit pixels, without those more transparent than not. Black where none is left. */
export function medianColour({ data, channels }: { readonly data: Uint8Array; readonly channels: 3 | 4 }): Colour {
  const reds = new Uint32Array(256)
  const greens = new Uint32Array(256)
  const blues = new Uint32Array(256)
  let total = 0
  for (let at = 0; at < data.length; at += channels) {
    if (channels === 4 && data[at + 3]! < 128) continue
    total++
    reds[data[at]!]!++
    greens[data[at + 1]!]!++
    blues[data[at + 2]!]!++
  }
  return [middle(reds, total), middle(greens, total), middle(blues, total)]
}

function middle(counts: Uint32Array, total: number): number {
  let seen = 0
  const found = counts.findIndex((count) => {
    seen += count
    return seen * 2 > total
  })
  return Math.max(0, found)
}
