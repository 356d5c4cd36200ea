import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { fromEntry, toEntry } from '../../src/optimizer/cached-result.ts'
import { makePlan } from '../../src/plan/plan.ts'
import { graphic, open } from '../images.ts'

const source = await open(graphic()).png().toBuffer()
const plan = makePlan(source, {}, { limits: DEFAULT_LIMITS })
const input = { type: 'image/png', width: 8, height: 6, size: source.length, frames: 1, hasAlpha: false } as const
const facts = { info: { ...input, size: 3 }, input, kept: 'output', notes: ['One note.'] } as const

it.each([
  {},
  { score: 81.5, damaged: true },
  { reason: 'second-loss', declined: 800 },
  { reason: 'guarded', refused: { type: 'image/png', size: 700, guard: 'edges', x: 12, y: 40 } },
] as const)('a hit gives what the miss gave: %j', (remarks) => {
  const made = { data: Uint8Array.of(1, 2, 3), ...facts, ...remarks }
  for (const data of [made.data, Uint8Array.from(source)]) {
    const { meta, data: stored } = toEntry({ ...made, data }, source, 2)
    const { result, compressions } = fromEntry(
      { meta: JSON.parse(JSON.stringify(meta)) as typeof meta, data: stored },
      plan,
    )
    expect(result).toEqual({ ...made, data: data.length === 3 ? data : source, key: plan.key, cached: true })
    expect([compressions, stored.length]).toEqual([2, data.length === 3 ? 3 : 0])
  }
})
