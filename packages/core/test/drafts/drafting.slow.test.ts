import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { createDrafting } from '../../src/drafts/drafting.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import type { Optimizer } from '../../src/optimizer/index.ts'
import { open, photo } from '../images.ts'
import type { Plan } from '../../src/plan/plan.ts'

const AUTO = { effort: 'auto', convert: { type: 'image/webp' } } as const
const sources: Buffer[] = []
beforeAll(async () => {
  for (let seed = 1; seed <= 4; seed++)
    sources.push(
      await open(photo(160, 120, seed))
        .png()
        .toBuffer(),
    )
})

const optimizers: Optimizer[] = []
afterAll(() => Promise.all(optimizers.map((each) => each.close())))
function optimizerWith(cache = createMemoryCache()): Optimizer {
  const optimizer = createOptimizer({ cache })
  optimizers.push(optimizer)
  return optimizer
}

const plansOf = (optimizer: Optimizer): Plan[] => sources.map((source) => optimizer.plan(source, AUTO))

describe('drafts', () => {
  it("are what 'fast' makes, under its key, where there is no time", async () => {
    const optimizer = optimizerWith()
    const drafting = createDrafting({ optimizer, budget: 1, workers: 2 })
    const [plan] = plansOf(optimizer)
    const draft = await drafting.materialize(plan!, {})
    const fast = await optimizer.optimize(sources[0]!, { ...AUTO, effort: 'fast' })
    expect(draft).toMatchObject({ draft: true, cached: false, key: fast.key })
    expect(Buffer.compare(draft.data, fast.data)).toBe(0)
    expect(draft.score).toBeGreaterThanOrEqual(80)
  })

  it('are made of what does not fit, and no image is made twice in the builds that follow', async () => {
    const cache = createMemoryCache()
    const optimizer = optimizerWith(cache)
    let clock = 0
    const slow: Optimizer = {
      ...optimizer,
      async materialize(...asked) {
        const made = await optimizer.materialize(...asked)
        clock += asked[0].operations.effort === 'fast' ? 100 : 1000
        return made
      },
    }
    // The first two images take the whole budget. Which ones they are depends on how soon their headers are read.
    const drafting = createDrafting({ optimizer: slow, budget: 2000, workers: 1, now: () => clock })
    const plans = plansOf(optimizer)
    const made = await Promise.all(plans.map((plan) => drafting.materialize(plan, {})))
    expect(made.filter(({ draft }) => draft === true)).toHaveLength(2)
    const next = createDrafting({ optimizer, budget: 2000, workers: 1 })
    const again = await Promise.all(plans.map((plan) => next.materialize(plan, {})))
    expect(again.map(({ cached }) => cached)).toEqual([true, true, true, true])
    expect(again.map(({ draft, key }) => [draft, key])).toEqual(made.map(({ draft, key }) => [draft, key]))
    // A draft that was refined meanwhile is final in the next build.
    const drafted = plans[made.findIndex(({ draft }) => draft === true)]!
    await optimizer.materialize(drafted)
    next.restart()
    expect((await next.materialize(drafted, {})).draft).toBeUndefined()
  })

  it('stay drafts for all of a build, whatever the cache gets meanwhile', async () => {
    const optimizer = optimizerWith()
    const drafting = createDrafting({ optimizer, budget: 1, workers: 1 })
    const [plan] = plansOf(optimizer)
    const { key } = await drafting.materialize(plan!, {})
    await optimizer.materialize(plan!)
    expect(await drafting.materialize(plan!, {})).toMatchObject({ draft: true, key })
    drafting.restart()
    expect((await drafting.materialize(plan!, {})).draft).toBeUndefined()
  })

  it('are one for all that ask for the same image at once', async () => {
    const optimizer = optimizerWith()
    const drafting = createDrafting({ optimizer, budget: 1, workers: 2 })
    const [plan] = plansOf(optimizer)
    const wanted = [{}, { placeholder: 'thumbhash' as const }, {}]
    const all = await Promise.all(wanted.map((extras) => drafting.materialize(plan!, extras)))
    expect(new Set(all.map(({ key }) => key)).size).toBe(1)
    expect(all.map(({ draft, placeholder }) => [draft, placeholder?.kind])).toEqual([
      [true, undefined],
      [true, 'thumbhash'],
      [true, undefined],
    ])
    expect(optimizer.stats.encoded).toBe(1)
  })

  it('end with the error of an image that is broken', async () => {
    const optimizer = optimizerWith()
    const drafting = createDrafting({ optimizer, budget: 1, workers: 1 })
    const plan = optimizer.plan(sources[0]!.subarray(0, 300), AUTO)
    await expect(drafting.materialize(plan, {})).rejects.toMatchObject({ code: 'DECODE_FAILED' })
  })

  it("come of effort: 'auto' alone, and never of an SVG", () => {
    const optimizer = optimizerWith()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expect(optimizer.plan(sources[0]!, AUTO).mayBeDraft).toBe(true)
    expect(optimizer.plan(sources[0]!, { effort: 'default' }).mayBeDraft).toBeUndefined()
    expect(optimizer.plan(svg, { effort: 'auto' }).mayBeDraft).toBeUndefined()
    expect(optimizer.plan(sources[0]!, AUTO).key).toBe(optimizer.plan(sources[0]!, { convert: AUTO.convert }).key)
  })
})
