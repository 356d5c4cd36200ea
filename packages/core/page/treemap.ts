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
    while (
      to < weights.length &&
      worst(weights, from, to, sum + weights[to]!, side) <= worst(weights, from, to - 1, sum, side)
    ) {
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

/** The longest tile of a row of the weights `from` to `last`: the longer side divided by the shorter one. */
function worst(weights: readonly number[], from: number, last: number, sum: number, side: number): number {
  const [largest, smallest] = [weights[from]!, weights[last]!]
  return Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * smallest))
}
