// The largest value of each measure over all windows, and where it is.

/** A power of the measure (guards/instance.ts says which), with the left and the top of its window, in pixels. */
@unmanaged
class Largest {
  power: f64
  x: i32
  y: i32
}

export const MEANS: i32 = 0
export const COLOURS: i32 = 1
export const BAND: i32 = 2
export const EDGES: i32 = 3
export const JAG: i32 = 4
export const GONE: i32 = 5
const MEASURES: i32 = 6

export const largest: usize = memory.data(MEASURES * offsetof<Largest>(), 16)

export function clearLargest(): void {
  memory.fill(largest, 0, MEASURES * offsetof<Largest>())
}

@inline
export function keep(measure: i32, power: f64, x: i32, y: i32): void {
  const kept = changetype<Largest>(largest + measure * offsetof<Largest>())
  // What is not a number, as it comes of nothing by nothing, is not larger.
  if (!(power > kept.power)) return
  kept.power = power
  kept.x = x
  kept.y = y
}
