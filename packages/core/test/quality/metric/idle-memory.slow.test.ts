import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createIdleInstances,
  freeDropped,
  idleBytes,
  leaveRoomFor,
  MOST_IDLE_BYTES,
} from '../../../src/quality/metric/idle-memory.ts'
import { createQuantiser } from '../../../src/encoding/quantiser.ts'
import { createGuards } from '../../../src/quality/guards/index.ts'
import { createReference } from '../../../src/quality/metric/ssimulacra2.ts'
import { photo } from '../../images.ts'

const MIB = 2 ** 20

interface Instance {
  readonly bytes: number
}

const bytesOf = ({ bytes }: Instance): number => bytes
const [palettes, scores] = [createIdleInstances(bytesOf), createIdleInstances(bytesOf)]

afterEach(() => {
  for (const each of [palettes, scores]) while (each.take() !== undefined);
  freeDropped(() => undefined)
})

describe('createIdleInstances', () => {
  it('gives the smallest instance that suffices, else the largest, and none twice', () => {
    const [small, middle, large] = [{ bytes: MIB }, { bytes: 2 * MIB }, { bytes: 4 * MIB }]
    for (const each of [middle, large, small, small]) palettes.give(each)
    expect(palettes.take(2 * MIB)).toBe(middle)
    expect(palettes.take(8 * MIB)).toBe(large)
    expect(palettes.take()).toBe(small)
    expect(palettes.take()).toBeUndefined()
    expect(scores.take()).toBeUndefined()
  })

  it('lets go of the largest, of whatever module, when all have too much together', () => {
    const [large, small] = [{ bytes: MOST_IDLE_BYTES - 12 * MIB }, { bytes: 2 * MIB }]
    palettes.give(large)
    scores.give(small)
    expect(idleBytes()).toBe(MOST_IDLE_BYTES - 10 * MIB)
    scores.give({ bytes: 12 * MIB })
    expect(idleBytes()).toBe(14 * MIB)
    expect(palettes.take()).toBeUndefined()
    expect(scores.take()).toBe(small)
  })

  it('keeps nothing of a large picture', () => {
    palettes.give({ bytes: MOST_IDLE_BYTES + 1 })
    expect(idleBytes()).toBe(0)
  })
})

describe('leaveRoomFor', () => {
  it('lets go of what does not fit beside a picture in work, the largest first', () => {
    const [large, small] = [{ bytes: 40 * MIB }, { bytes: 2 * MIB }]
    palettes.give(large)
    scores.give(small)
    leaveRoomFor({ width: 1000, height: 800 })
    expect(idleBytes()).toBe(42 * MIB)
    leaveRoomFor({ width: 2000, height: 1200 })
    expect(idleBytes()).toBe(2 * MIB)
    leaveRoomFor({ width: 4000, height: 3000 })
    expect(idleBytes()).toBe(0)
  })
})

describe('freeDropped', () => {
  it('calls the collector once, when much was let go of', () => {
    const collect = vi.fn<() => void>()
    palettes.give({ bytes: MOST_IDLE_BYTES })
    expect(freeDropped(collect)).toBe(false)
    palettes.give({ bytes: MOST_IDLE_BYTES })
    expect(freeDropped(collect)).toBe(true)
    expect(freeDropped(collect)).toBe(false)
    expect(collect).toHaveBeenCalledTimes(1)
  })
})

/** Does what a picture's search does in all modules. */
function measure(width: number, height: number): void {
  const original = photo(width, height)
  const reference = createReference(original)
  const guards = createGuards(original)
  const quantiser = createQuantiser(original)!
  const { pixels } = quantiser.map(64, {})
  expect(reference.score({ ...original, data: pixels })).toBeLessThan(100)
  guards.measure({ ...original, data: pixels })
  for (const each of [quantiser, guards, reference]) each.dispose()
}

describe('the memory that waits between two pictures', () => {
  it('is that of a small picture in all modules, and is taken again', () => {
    measure(200, 160)
    const bytes = idleBytes()
    expect(bytes).toBeGreaterThan(5 * MIB)
    measure(200, 160)
    expect(idleBytes()).toBe(bytes)
  })

  it('is within its bound after a large picture, which leaves the rest to the collector', () => {
    measure(2000, 1400)
    expect(idleBytes()).toBeLessThanOrEqual(MOST_IDLE_BYTES)
    expect(freeDropped(() => undefined)).toBe(true)
  })
})
