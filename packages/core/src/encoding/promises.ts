/**
 * Promises at which a search may find fewer bytes than at a lower one that a guard has led astray: what guards measure falls in
 * jumps, so results that they refuse are made better by too much.
 */
const HIGHER_PROMISES = [70, 80, 85, 90, 95] as const

/** The next promise above one, whose results are candidates for it as well; `undefined` above the last. */
export const nextPromise = (promise: number): number | undefined => HIGHER_PROMISES.find((each) => each > promise)
