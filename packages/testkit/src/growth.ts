/**
 * Measures how the work grows with the input, in processor time: a slow or busy machine needs more of it for every size
 * alike.
 */

/** Sizes are compared that are so many times apart. */
const TIMES = 32

/**
 * The bound between linear work, which grows 32 times, and work that grows with the square of the input, 1,024 times.
 * The collector of garbage makes linear work that keeps what it finds up to four times as steep.
 */
export const LINEAR = 180

/** Microseconds below which a measurement says more about the collector of garbage than about the work. */
const FLOOR = 200

/**
 * Comparisons at the most. Other threads of the process, the compiler and the collector of garbage can make one of them
 * look steep; they do not make work that grows with the square look linear.
 */
const COMPARISONS = 5

/** Runs for the smallest measurement of each size; the first warm up the compiler. */
const RUNS = { small: 5, large: 3 }

/**
 * Measures the processor time that an input of 32 times the size takes, as a multiple of what the input takes; to be
 * held against `LINEAR`: the least of several comparisons, where the first is not below that.
 */
export function growth<Input>(make: (times: number) => Input, run: (input: Input) => void): number {
  const small = make(1)
  const large = make(TIMES)
  let least = Infinity
  for (let i = 0; i < COMPARISONS && least >= LINEAR; i++) {
    const base = Math.max(processorTime(small, run, RUNS.small), FLOOR)
    least = Math.min(least, processorTime(large, run, RUNS.large) / base)
  }
  return least
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
