import { loopFilterLevel, withLoopFilter } from './loop-filter.ts'

/** Levels below this one hardly change a picture. */
const LEAST_LEVEL = 5

/**
 * Points that a result must gain without its filter. Nine pictures of 1,280 to 1,920 pixels were measured near a score
 * of 80: seven gained up to 5.6 points at nearly every setting, two lost up to 1.5 at most.
 */
const LEAST_GAIN = 0.3

/** The choice for all results of a search. */
export interface FilterChoice {
  /** `true` once it is known that results are better without. */
  readonly isLeftOut: boolean
  /** Returns a result as it is chosen. The first one whose filter counts decides, by two scores. */
  choose(data: Uint8Array): Promise<Uint8Array>
  /** Returns the score of what `choose` returned. */
  score(data: Uint8Array): Promise<number>
}

/** Finds out whether results of a picture score higher without the loop filter, and leaves it out then. */
export function chooseFilter(scoreOf: (data: Uint8Array) => Promise<number>): FilterChoice {
  let isLeftOut: boolean | undefined
  const known = new WeakMap<Uint8Array, number>()
  return {
    get isLeftOut() {
      return isLeftOut === true
    },
    async choose(data) {
      if (isLeftOut === false || (loopFilterLevel(data) ?? 0) < LEAST_LEVEL) return data
      const bare = withLoopFilter(data, 0)
      if (bare === undefined || isLeftOut === true) return bare ?? data
      const without = await scoreOf(bare)
      const filtered = await scoreOf(data)
      isLeftOut = without >= filtered + LEAST_GAIN
      const chosen = isLeftOut ? bare : data
      known.set(chosen, isLeftOut ? without : filtered)
      return chosen
    },
    score: async (data) => known.get(data) ?? scoreOf(data),
  }
}
