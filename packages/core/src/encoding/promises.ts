/**
 * A search for one of these promises may find fewer bytes than a search for a lower one that a guard has misled. A
 * guard's measure falls in jumps, so a search raises a refused result by too much.
 */
const HIGHER_PROMISES = [70, 80, 85, 90, 95] as const

/** Returns the next higher promise, whose results also keep the lower one; `undefined` after the last. */
export const nextPromise = (promise: number): number | undefined => HIGHER_PROMISES.find((each) => each > promise)
