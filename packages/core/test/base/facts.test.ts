import { describe, expect, it } from 'vitest'
import {
  EVERYWHERE_TYPES,
  FORMAT_NAMES,
  IMAGE_TYPES,
  INPUT_ONLY,
  INPUT_TYPES,
  SAME_TYPE_ONLY,
  factsOf,
  reachOf,
} from '../../src/base/formats.ts'
import { FACTS } from '../../src/base/facts.ts'
import { expectedSaving } from '../../src/drafts/saving.ts'
import { codecOf } from '../../src/formats/index.ts'
import { AUTO_TYPES } from '../../src/project/operations.ts'
import { readMetadata, writeMetadata } from '../../src/work/steps/metadata.ts'
import type { Metadata } from '../../src/work/steps/metadata.ts'
import { optimize } from '../../src/index.ts'
import { open, photo } from '../images.ts'

/** One of each item. */
const METADATA: Metadata = {
  copyright: { text: 'Ada' },
  creation: '2026:11:24 12:00:00',
  location: {
    latitudeRef: 'N',
    latitude: [
      [50, 1],
      [6, 1],
      [0, 1],
    ],
    longitudeRef: 'E',
    longitude: [
      [8, 1],
      [41, 1],
      [0, 1],
    ],
  },
}

describe('the facts of a format', () => {
  it.each(IMAGE_TYPES)('name the metadata that its codec can write: %s', async (type) => {
    const { data } = await optimize(await open(photo(16, 16)).png().toBuffer(), { convert: { type } })
    const kept = readMetadata(writeMetadata(data, type, METADATA), type)
    expect(Object.keys(kept).toSorted()).toEqual(factsOf(type).metadata)
  })

  it('name no metadata where nothing can be written', () => {
    const others = INPUT_TYPES.filter((type) => !(IMAGE_TYPES as readonly string[]).includes(type))
    expect(others.length).toBeGreaterThan(0)
    for (const type of others) expect([type, factsOf(type).metadata]).toEqual([type, []])
    for (const type of others) expect('writeMetadata' in codecOf(type)).toBe(false)
  })

  it('rank types by the browsers that show them', () => {
    expect(FORMAT_NAMES.map((name) => [name, reachOf(FACTS[name].type)])).toEqual([
      ['avif', 1],
      ['jxl', 0],
      ['webp', 2],
      ['jpeg', 3],
      ['png', 3],
      ['gif', 3],
      ['svg', 3],
      ['tiff', 0],
      ['bmp', 3],
      ['heic', 0],
    ])
    expect([...EVERYWHERE_TYPES]).toEqual(['image/jpeg', 'image/png', 'image/gif', 'image/svg+xml', 'image/bmp'])
  })

  it('name the types that are only inputs, which nothing else can become and no wildcard means', () => {
    expect([...INPUT_ONLY]).toEqual(['image/tiff', 'image/bmp', 'image/heic'])
    expect(SAME_TYPE_ONLY).toEqual(['image/gif', 'image/svg+xml'])
    for (const type of INPUT_TYPES.filter((each) => INPUT_ONLY.has(each))) {
      expect(factsOf(type)).toMatchObject({ readable: true, convertible: true, writable: false, wildcard: false })
    }
  })

  it("decide the types of `convert: 'auto'`: of the wildcard, those that not every browser shows", () => {
    expect(AUTO_TYPES).toEqual(['image/avif', 'image/webp'])
  })

  it('estimate what the final result of a draft saves, and nothing where that was not measured', () => {
    expect(expectedSaving({ type: 'image/avif', bytes: 1000 })).toBeCloseTo(110)
    expect(expectedSaving({ type: 'image/jxl', bytes: 1000 })).toBe(0)
  })
})
