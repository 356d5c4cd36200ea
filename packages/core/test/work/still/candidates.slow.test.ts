import { readFile } from 'node:fs/promises'
import { graphic, photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { optimize } from '../../../src/index.ts'
import { makePlan } from '../../../src/plan/plan.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import { attemptStill } from '../../../src/work/still/candidates.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import type { ImageType } from '../../../src/base/types.ts'
import { open, photo as waves } from '../../images.ts'

async function attempt(source: Uint8Array, type: readonly ImageType[]): ReturnType<typeof attemptStill> {
  const { operations, type: own } = makePlan(source, { convert: { type: [...type] } }, { limits: DEFAULT_LIMITS })
  const job = { source, type: own, operations, limits: DEFAULT_LIMITS, file: undefined }
  return attemptStill(job, await probeImage(source, own, DEFAULT_LIMITS))
}

const typesOf = (candidates: readonly Candidate[]): string[] => [...new Set(candidates.map(({ type }) => type))]

describe('the types of a list', () => {
  it('end with AVIF where it holds a photograph, wherever it stands', async () => {
    const source = await photo(160, 120).png()
    const { candidates } = await attempt(source, ['image/webp', 'image/avif', 'image/jpeg'])
    expect(typesOf(candidates)).toEqual(['image/avif'])
  })

  it('end with AVIF where it holds a photograph of few colours', async () => {
    const source = await open(waves(400, 300)).greyscale().png().toBuffer()
    const { candidates } = await attempt(source, ['image/webp', 'image/avif', 'image/jpeg'])
    expect(typesOf(candidates)).toEqual(['image/avif'])
  })

  it('are all tried for a drawing, and AVIF is given up where it is larger', async () => {
    const { candidates, declined } = await attempt(await graphic(400, 300).png(), ['image/avif', 'image/webp'])
    const types = typesOf(candidates)
    expect(types).toContain('image/webp')
    expect(types).not.toContain('image/avif')
    // The user is told only about the own type.
    expect(declined).toBe(Infinity)
  })
})

describe('types that were left out', () => {
  it('are tried one after the other where a guard refuses the one that was made', async () => {
    const source = await readFile(new URL('../../fixtures/guards/text-on-grain.png', import.meta.url))
    const types = ['image/avif', 'image/webp', 'image/jpeg'] as const
    const listed = await optimize(source, { convert: { type: [...types] } })
    expect(listed.work?.encodes['image/webp']).toBeGreaterThan(0)
    expect(listed.work?.encodes['image/jpeg']).toBeGreaterThan(0)
    const singles = []
    for (const type of types) singles.push(await optimize(source, { convert: { type } }))
    expect(listed.data.length).toBe(Math.min(...singles.map(({ data }) => data.length)))
  })
})

describe('an icon of many colours', () => {
  it.each(['icon.png', 'logo.png'])('is not converted to something larger than its own palette: %s', async (name) => {
    const source = await readFile(new URL(`../../../../../examples/images/${name}`, import.meta.url))
    const own = await optimize(source)
    const converted = await optimize(source, { convert: { type: ['image/avif', 'image/webp'] } })
    expect(converted.data.length).toBeLessThanOrEqual(own.data.length)
  })
})
