// The order in which the memory of a comparison is laid out: the input, the rows that all measures share, and behind them the
// rows of each measure. Every measure lays out its own.

import { layoutFlat } from './flat'
import { layoutGone } from './gone'
import { BATCH_ROWS, layoutInput, layoutRows } from './guards-memory'
import { layoutJag } from './jag'
import { layoutLines } from './lines'
import { layoutStreaks } from './streaks'
import { layoutTiles } from './tiles'

/**
 * Lays out memory for pictures of a size; where they differ is looked for first if `compares`, and with `keeps` all of
 * the original's pixels stay, so that they need be handed over once. Returns the bytes of memory needed, as a double since
 * they can exceed the address space; the memory must have grown to them before anything else is called.
 */
export function layout(wide: i32, high: i32, compares: bool, keeps: bool): f64 {
  // Flat areas are looked for before anything is compared, in the memory that the comparison takes afterwards.
  const endOfFlat = layoutFlat(layoutInput(wide, high, keeps), wide, BATCH_ROWS)
  const end = layoutLines(layoutStreaks(layoutGone(layoutJag(layoutRows()))))
  return <f64>max(layoutTiles(end, wide, high, compares), endOfFlat)
}
