/** A rectangle, in shares of the whole from 0 to 1. */
export interface Tile {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Rectangles whose areas are in proportion to the weights and that are as square as can be: rows along the shorter
 * side, each filled while that makes its worst tile squarer (Bruls, Huizing and van Wijk, "Squarified treemaps", 2000).
 * @param weights above 0, the largest first
 * @param aspect width of the whole divided by its height
 */
export function squarify(weights: readonly number[], aspect: number): Tile[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const tiles: Tile[] = []
  // In units in which a square is a square, and the area of the whole is that of all weights.
  const scale = Math.sqrt(total / aspect)
  let [left, top, width, height] = [0, 0, scale * aspect, scale]
  for (let from = 0; from < weights.length;) {
    const side = Math.min(width, height)
    let to = from + 1
    let sum = weights[from]!
    const largest = weights[from]!
    const worst = (last: number, row: number): number =>
      elongation({ largest, smallest: weights[last]!, sum: row }, side)
    while (to < weights.length && worst(to, sum + weights[to]!) <= worst(to - 1, sum)) {
      sum += weights[to]!
      to++
    }
    const thickness = sum / side
    let along = 0
    for (const weight of weights.slice(from, to)) {
      const length = weight / thickness
      const tile =
        width < height
          ? { left: left + along, top, width: length, height: thickness }
          : { left, top: top + along, width: thickness, height: length }
      tiles.push({
        left: tile.left / (scale * aspect),
        top: tile.top / scale,
        width: tile.width / (scale * aspect),
        height: tile.height / scale,
      })
      along += length
    }
    if (width < height) {
      top += thickness
      height -= thickness
    } else {
      left += thickness
      width -= thickness
    }
    from = to
  }
  return tiles
}

/** The weights of the tiles of a row: the ends and all together. */
interface Row {
  readonly largest: number
  readonly smallest: number
  readonly sum: number
}

/** Returns the longer side of a row's longest tile divided by its shorter one. */
function elongation({ largest, smallest, sum }: Row, side: number): number {
  return Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * smallest))
}
