/**
 * Measures how the work grows with the input, in processor time: a slow or busy machine needs more of it for every size
 * alike.
 */

/** Sizes are compared that are so many times apart. */
const TIMES = 16

/** The bound between linear work, which grows 16 times, and work that grows with the square of the input, 256 times. */
export const LINEAR = 64

/** Microseconds below which a measurement says more about the collector of garbage than about the work. */
const FLOOR = 200

/** Runs for the smallest measurement of each size; the first warm up the compiler. */
const RUNS = { small: 5, large: 3 }

/**
 * Measures the processor time that an input of 16 times the size takes, as a multiple of what the input takes; to be
 * held against `LINEAR`. `run` is given both inputs several times.
 */
export function growth<Input>(make: (times: number) => Input, run: (input: Input) => void): number {
  const small = processorTime(make(1), run, RUNS.small)
  const large = processorTime(make(TIMES), run, RUNS.large)
  return large / Math.max(small, FLOOR)
}

/** Microseconds of the processor that the cheapest of several runs takes. */
export function processorTime<Input>(input: Input, run: (input: Input) => void, runs: number = RUNS.small): number {
  let least = Infinity
  for (let i = 0; i < runs; i++) {
    const before = process.cpuUsage()
    run(input)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}
