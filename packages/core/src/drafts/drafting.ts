import { createLimit } from '../concurrency/limit.ts'
import type { Optimizer } from '../optimizer/index.ts'
import { resultSize } from '../resample/size.ts'
import { draftOf } from './draft-plan.ts'
import { createForecast } from './forecast.ts'
import type { MaterializeExtras, OptimizeResult } from '../optimizer/result.ts'
import type { Plan } from '../plan/plan.ts'

/** Makes images of a first build in the time it has: what does not fit is written by a quick path, as a draft. */
export interface Drafting {
  /**
   * Returns the final result where the cache has it, else a draft that it has, else one of both, made now.
   * @param plan one with `mayBeDraft`
   * @param draft key of a draft that an earlier engine has made of it
   * @throws PixpressError as `Optimizer.materialize`
   */
  materialize(plan: Plan, extras: MaterializeExtras & { readonly draft?: string | undefined }): Promise<OptimizeResult>
  /** The next build begins, with all its time. */
  restart(): void
}

/** Settings of drafts. */
export interface DraftingSettings {
  readonly optimizer: Optimizer
  /** Milliseconds of work at full effort. */
  readonly budget: number
  /** Images worked on at once. */
  readonly workers: number
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/** Pixels that the smallest image counts for: reading and comparing it takes its time as well. */
const LEAST = 10_000

/** Creates the choice between full effort and drafts. */
export function createDrafting({
  optimizer,
  budget,
  workers,
  now = () => performance.now(),
}: DraftingSettings): Drafting {
  const forecast = createForecast(budget, workers, now)
  // The remaining time is looked at when an image has its turn: builds ask for all of them at once.
  const turns = createLimit({ jobs: workers })
  /** The last that asked for an image, by the key of its plan. */
  const asked = new Map<string, Promise<OptimizeResult>>()
  /** Keys of the plans that got a draft in this build. */
  const drafts = new Set<string>()

  async function make(plan: Plan, extras: MaterializeExtras, earlierDraft?: string): Promise<OptimizeResult> {
    // One image is the same in all of a build, whatever its cache gets meanwhile: pages of client and server refer to
    // it.
    const final = drafts.has(plan.key) ? undefined : await optimizer.recall(plan, extras)
    if (final !== undefined) return final
    const { placeholder } = extras
    const quick = draftOf(plan)
    const draft = await optimizer.recall(quick, { placeholder, pinned: earlierDraft })
    if (draft !== undefined) {
      drafts.add(plan.key)
      return { ...draft, draft: true }
    }
    const pixels = await pixelsOf(plan)
    forecast.expect(pixels)
    return turns.run(async () => {
      const path = forecast.hasTimeFor(pixels) ? 'full' : 'quick'
      const end = forecast.begin(pixels, path)
      try {
        if (path === 'full') return await optimizer.materialize(plan, { placeholder })
        const made = await optimizer.materialize(quick, { placeholder })
        drafts.add(plan.key)
        return { ...made, draft: true as const }
      } finally {
        end()
      }
    })
  }

  /** Counts the pixels of all types that are tried. A file that cannot be read fails later, when it is worked on. */
  async function pixelsOf({ source, operations, types, file }: Plan): Promise<number> {
    const probe = await optimizer.probe(source, { file }).catch(() => undefined)
    if (probe === undefined) return LEAST
    const { width, height } = resultSize(probe, operations)
    return Math.max(LEAST, width * height * probe.frames * types.length)
  }

  return {
    materialize(plan, { draft, ...extras }) {
      const { key } = plan
      // Two that ask for the same image must get the same one, also when one of them wants a placeholder: the second
      // finds the first's.
      const before = asked.get(key)
      const result = before === undefined ? next() : before.then(next, next)
      asked.set(key, result)
      const forget = (): void => void (asked.get(key) === result && asked.delete(key))
      result.then(forget, forget)
      return result

      function next(): Promise<OptimizeResult> {
        return make(plan, extras, draft)
      }
    },
    restart() {
      forecast.restart()
      drafts.clear()
    },
  }
}
