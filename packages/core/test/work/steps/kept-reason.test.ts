import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../src/encoding/request.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import type { ProbeResult } from '../../../src/base/types.ts'
import type { Job } from '../../../src/work/steps/job.ts'
import { finish, unchanged } from '../../../src/work/steps/result.ts'
import type { Attempt } from '../../../src/work/steps/result.ts'

const type = 'image/jpeg'
const job: Job = {
  source: new Uint8Array(1000),
  type,
  operations: resolveOperations(),
  limits: DEFAULT_LIMITS,
  file: undefined,
}
const probe: ProbeResult = {
  type,
  width: 8,
  height: 8,
  size: 1000,
  hasAlpha: false,
  frames: 1,
  orientation: 1,
  depth: 8,
}
const lossy: Candidate = { data: new Uint8Array(800), type, score: 81 }
const lossless: Candidate = { data: new Uint8Array(950), type, score: 100 }

function reason(attempt: Partial<Attempt>, best?: Candidate): string | undefined {
  return finish(job, probe, { ...unchanged(probe), ...attempt }, best).reason
}

const declined = (attempt: Partial<Attempt>): number | undefined =>
  finish(job, probe, { ...unchanged(probe), ...attempt }, undefined).declined

describe('the reason for which pixels are kept', () => {
  it('is that nothing smaller keeps the promise', () => {
    expect(reason({})).toBe('smallest')
    expect(reason({ candidates: [{ ...lossy, score: 79 }] })).toBe('smallest')
    expect(reason({ declined: 990 })).toBe('smallest')
  })

  it('is a second loss where a lossy result is smaller, made or estimated', () => {
    expect(reason({ candidates: [lossy] })).toBe('second-loss')
    expect(reason({ declined: 800 })).toBe('second-loss')
    expect(reason({ candidates: [lossless], declined: 800 }, lossless)).toBe('second-loss')
  })

  it('is that a guard refuses what would be clearly smaller, and says the nearest of that', () => {
    const refusal = { guard: 'edges', x: 12, y: 40, share: 1.2 } as const
    const worse = { guard: 'band', x: 0, y: 0, share: 2 } as const
    const refused = [{ type: 'image/png', bytes: 700, refusal } as const]
    expect(reason({ refused })).toBe('guarded')
    expect(reason({ refused: [{ ...refused[0]!, bytes: 990 }] })).toBe('smallest')
    const candidates = [{ ...lossy, damaged: true, refusal: worse } as const]
    const result = finish(job, probe, { ...unchanged(probe), candidates, refused }, undefined)
    expect(result.refused).toEqual({ type: 'image/png', size: 700, guard: 'edges', x: 12, y: 40 })
    const refusedBeside = (best: Candidate): unknown =>
      finish(job, probe, { ...unchanged(probe), candidates: [best], refused }, best).refused
    expect(refusedBeside(lossy)).toBeUndefined()
    expect(refusedBeside({ ...lossy, score: 84 })).toEqual(result.refused)
  })

  it('says what a second loss would save, about', () => {
    expect(declined({ candidates: [lossy] })).toBe(800)
    expect(declined({ candidates: [lossy], declined: 700.4 })).toBe(700)
    expect(declined({ candidates: [{ ...lossy, damaged: true }], declined: 850 })).toBe(850)
    expect(declined({ declined: 990 })).toBeUndefined()
  })

  it('is that the kind is not worked on', () => {
    expect(reason({ unsupported: true })).toBe('unsupported')
  })

  it('is not given where the pixels are not kept', () => {
    expect(reason({ candidates: [lossy] }, lossy)).toBeUndefined()
    expect(reason({ candidates: [lossless] }, lossless)).toBeUndefined()
    expect(reason({ candidates: [lossless], inputMayStay: false, declined: 1 }, lossless)).toBeUndefined()
  })
})
