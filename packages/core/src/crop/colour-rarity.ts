/** Levels of one channel that fall into one bin; 8 bins to a channel. */
const BIN = 32

/** Distance at which a colour hardly counts as the same any more: the width of a bell curve, in levels of 255. */
const ALIKE = 30

/** Squared distance from which a colour adds nothing worth the time: four of those widths. */
const UNLIKE = (4 * ALIKE) ** 2

/** Share below which a colour cannot get rarer. */
const RAREST = 0.001

/** The colours of one bin, in the mean. */
interface Bin {
  count: number
  red: number
  green: number
  blue: number
}

/**
 * Measures how rare the colour of each pixel is in its picture: the negative logarithm of the share of pixels with a
 * like colour, 0 to about 7. A thing in front of grass and sky is rare, though grass is unlike sky.
 * @param colours - red, green and blue of each pixel, 0 to 255
 */
export function colourRarity(colours: Float64Array): Float64Array {
  const total = colours.length / 3
  const indices = new Int32Array(total)
  const bins = new Map<number, Bin & { index: number }>()
  for (let pixel = 0; pixel < total; pixel++) {
    const red = colours[pixel * 3]!
    const green = colours[pixel * 3 + 1]!
    const blue = colours[pixel * 3 + 2]!
    const key = (Math.floor(red / BIN) * 8 + Math.floor(green / BIN)) * 8 + Math.floor(blue / BIN)
    const bin = bins.get(key) ?? { count: 0, red: 0, green: 0, blue: 0, index: bins.size }
    bins.set(key, bin)
    bin.count++
    bin.red += red
    bin.green += green
    bin.blue += blue
    indices[pixel] = bin.index
  }
  const rarity = raritiesOf([...bins.values()], total)
  return Float64Array.from(indices, (index) => rarity[index]!)
}

function raritiesOf(bins: readonly Bin[], total: number): number[] {
  const means = bins.map(({ count, red, green, blue }) => ({
    share: count / total,
    red: red / count,
    green: green / count,
    blue: blue / count,
  }))
  return means.map((own) => {
    let alike = 0
    for (const { share, red, green, blue } of means) {
      const distance = (own.red - red) ** 2 + (own.green - green) ** 2 + (own.blue - blue) ** 2
      if (distance < UNLIKE) alike += share * Math.exp(-distance / (2 * ALIKE ** 2))
    }
    return -Math.log(Math.max(alike, RAREST))
  })
}
