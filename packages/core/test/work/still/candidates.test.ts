import { graphic, photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/limits.ts'
import { makePlan } from '../../../src/plan.ts'
import { probeImage } from '../../../src/work/probe.ts'
import { attemptStill } from '../../../src/work/still/candidates.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import type { ImageType } from '../../../src/types.ts'

async function candidatesFor(source: Uint8Array, type: readonly ImageType[]): Promise<readonly Candidate[]> {
  const { operations, type: own } = makePlan(source, { convert: { type: [...type] } }, DEFAULT_LIMITS)
  const job = { source, type: own, operations, limits: DEFAULT_LIMITS, file: undefined }
  const attempt = await attemptStill(job, await probeImage(source, own, DEFAULT_LIMITS))
  return attempt.candidates
}

const typesOf = (candidates: readonly Candidate[]): string[] => [...new Set(candidates.map(({ type }) => type))]

describe('the types of a list', () => {
  it('end with AVIF where it holds a photograph, wherever it stands', async () => {
    const source = await photo(160, 120).png()
    expect(typesOf(await candidatesFor(source, ['image/webp', 'image/avif', 'image/jpeg']))).toEqual(['image/avif'])
  })

  it('are all tried for a drawing, and AVIF is given up where it is larger', async () => {
    const types = typesOf(await candidatesFor(await graphic(400, 300).png(), ['image/avif', 'image/webp']))
    expect(types).toContain('image/webp')
    expect(types).not.toContain('image/avif')
  })
})
