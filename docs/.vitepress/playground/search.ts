/** One try: a setting with its result and score. */
export interface Try<Result> {
  readonly setting: number
  readonly result: Result
  readonly score: number
}

/** The range of a search, and how one of its settings is tried. */
export interface Search<Result> {
  readonly least: number
  readonly most: number
  readonly tryAt: (setting: number) => Promise<{ result: Result; score: number }>
  /** Called before each try, with its number from 1. */
  readonly onTry?: (tries: number) => void
}

/**
 * Finds the smallest setting whose score is at least the promise, by halving: scores grow with the setting, but for
 * steps too small to matter. `undefined` where even the highest setting falls short.
 */
export async function searchSmallest<Result>(
  promise: number,
  { least, most, tryAt, onTry }: Search<Result>,
): Promise<Try<Result> | undefined> {
  let [low, high] = [least, most]
  let kept: Try<Result> | undefined
  for (let tries = 1; low <= high; tries++) {
    const setting = Math.floor((low + high) / 2)
    onTry?.(tries)
    const { result, score } = await tryAt(setting)
    if (score >= promise) {
      kept = { setting, result, score }
      high = setting - 1
    } else low = setting + 1
  }
  return kept
}
