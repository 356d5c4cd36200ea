import type { Candidate } from '../../encoding/request.ts'
import { nextPromise } from '../../encoding/promises.ts'
import type { InputType } from '../../types.ts'
import { holdToGuards } from './guarded.ts'
import type { Judging } from './guarded.ts'

/**
 * Candidates, and those of higher promises where a guard has had what is chosen made so much better that it keeps these as well: the search
 * for a higher promise chooses its own chroma and tables, and may end with fewer bytes. A drawing as JPEG that was raised from 80 to 85.4 took
 * 10,623 bytes, and 9,703 for a promise of 85. One that is raised half-way is looked at as well, as few blocks make the score jump.
 * @param encode makes candidates of one type for a score
 */
export async function withHigher(
  candidates: readonly Candidate[],
  judging: Judging,
  encode: (type: InputType, score: number) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  let held = candidates
  for (let higher = nextPromise(judging.promise); higher !== undefined; higher = nextPromise(higher)) {
    const chosen = judging.choose(held)
    if (chosen?.kind === undefined || chosen.score < (judging.promise + higher) / 2 || !isRaised(chosen, held))
      return held
    const { type, data } = chosen
    const made = await encode(type, higher)
    const smaller = made.filter((each) => each.type === type && each.data.length < data.length)
    if (smaller.length > 0) held = await holdToGuards([...held, ...smaller], { ...judging, untried: undefined })
  }
  return held
}

const isRaised = ({ type }: Candidate, all: readonly Candidate[]): boolean =>
  all.some((each) => each.damaged === true && each.type === type)
