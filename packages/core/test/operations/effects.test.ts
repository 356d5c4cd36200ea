import { OPTION_SAMPLES, SAMPLE_IMAGES } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Operations } from '../../src/operations/index.ts'

const optimizer = createOptimizer({ concurrency: 2 })
afterAll(() => optimizer.close())

const NAMES = Object.keys(OPERATIONS) as (keyof Operations)[]

describe('each operation', () => {
  it.each(NAMES)('%s changes the result of an image', async (name) => {
    const { valid, effect } = OPTION_SAMPLES[name]
    const { of, beside = {}, shows } = effect
    const source = await SAMPLE_IMAGES[of]()
    const make = async (operations: Operations): Promise<Buffer> =>
      Buffer.from((await optimizer.optimize(source, operations)).data)
    const without = await make(beside)
    const made = await make({ ...beside, [name]: valid[0] })
    expect(made.equals(without)).toBe(false)
    expect(await shows({ source, made, without })).toBe(true)
  })
})
