import { expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'
import { makePlan } from '../../src/plan/plan.ts'

let decoder: readonly string[]
vi.mock('../../src/base/versions.ts', async (original) => ({
  ...(await original<typeof import('../../src/base/versions.ts')>()),
  heicRules: () => decoder,
}))

function keysOf(brand: string): Set<string> {
  const source = Buffer.from(`\0\0\0\x1cftyp${brand}\0\0\0\0${brand}mif1`, 'latin1')
  const versions = [[], ['heic-decode 2.0.0', 'libheif-js 1.18.0'], ['heic-decode 2.0.0', 'libheif-js 1.19.0']]
  const keys = versions.map((each) => {
    decoder = each
    return makePlan(source, {}, { limits: DEFAULT_LIMITS }).key
  })
  return new Set(keys)
}

it('the decoder of HEIC decides the keys of HEIC alone', () => {
  expect([keysOf('heic').size, keysOf('avif').size]).toEqual([3, 1])
})
