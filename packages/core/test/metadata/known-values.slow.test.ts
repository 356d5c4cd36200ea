import { missingTool, requireTool } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/optimizer/index.ts'
import type { ImageType, PreserveItem } from '../../src/base/types.ts'
import { PRESERVE_ITEMS } from '../../src/base/values.ts'
import { EXTENSIONS, IMAGE_TYPES } from '../../src/base/formats.ts'
import { readTags } from './exiftool.ts'
import { fixture, typeOf } from './fixture.ts'
import { KNOWN_VALUES, expectedTags } from './known-values.ts'
import type { Operations } from '../../src/operations/index.ts'

const exiftool = requireTool('exiftool')
const SOURCES = Object.keys(KNOWN_VALUES)
const SMALL = { method: 'scale', width: 32 } as const

/** Sets of items to preserve: none, each item alone, and all of them. */
const CHOICES: readonly (readonly PreserveItem[])[] = [[], ...PRESERVE_ITEMS.map((item) => [item]), PRESERVE_ITEMS]

const optimizer = createOptimizer({ concurrency: 2 })
afterAll(() => optimizer.close())

interface Case {
  readonly source: string
  readonly type: ImageType
  readonly items: readonly PreserveItem[]
  readonly operations: Operations
}

const nameOf = ({ source, items, type }: Case): string =>
  `${source.replace('.', '-')}--${items.join('-') || 'nothing'}.${EXTENSIONS[type]}`

const describeWithExifTool = describe.skipIf(exiftool === undefined)

async function expectTags(cases: readonly Case[]): Promise<void> {
  const files = await Promise.all(
    cases.map(async (each) => {
      const { data, info } = await optimizer.optimize(fixture(each.source), each.operations)
      expect(info.type).toBe(each.type)
      return [nameOf(each), data] as const
    }),
  )
  const tags = await readTags(exiftool!, Object.fromEntries(files))
  const wrong = cases.flatMap((each) => {
    const expected = expectedTags(KNOWN_VALUES[each.source]!, each.items, each.type)
    const found = tags.get(nameOf(each))
    return isSame(expected, found) ? [] : [{ file: nameOf(each), expected, found }]
  })
  expect(wrong).toEqual([])
}

const isSame = (expected: object, found: object | undefined): boolean =>
  JSON.stringify(Object.entries(expected).sort()) === JSON.stringify(Object.entries(found ?? {}).sort())

describeWithExifTool(
  exiftool === undefined ? missingTool('exiftool') : 'ExifTool finds what was to be preserved',
  () => {
    it.each(IMAGE_TYPES)('in a %s made smaller from every type', async (type) => {
      await expectTags(
        SOURCES.flatMap((source) =>
          CHOICES.map((items) => ({
            source,
            type,
            items,
            operations: { resize: SMALL, convert: { type }, preserve: items, effort: 'fast' },
          })),
        ),
      )
    })

    it('in files of the same type and size', async () => {
      await expectTags(
        SOURCES.filter((source) => /^(?:all|none|xmp-only|irb-only|text-chunks)/.test(source)).map((source) => ({
          source,
          type: typeOf(source) as ImageType,
          items: PRESERVE_ITEMS,
          operations: { preserve: PRESERVE_ITEMS },
        })),
      )
    })
  },
)

/** The items that are written into results. */
const WRITTEN = ['copyright', 'creation', 'location'] as const satisfies readonly PreserveItem[]

/**
 * Bytes that an item may add apart from its text, from the service interface, section 4.6, for JPEG and PNG. The other
 * types may also take the bytes of their containers: WebP's `VP8X`, the item of AVIF's `meta`, JPEG XL's container and
 * boxes.
 */
const BUDGET = { copyright: 90, creation: 80, location: 140 } as const
const CONTAINER = { 'image/jpeg': 0, 'image/png': 0, 'image/webp': 18, 'image/avif': 60, 'image/jxl': 64 } as const

describe('preserving', () => {
  const plain = new Map<string, number>()
  beforeAll(async () => {
    for (const type of IMAGE_TYPES) {
      for (const source of ['exif-only.jpg', 'none.jpg', 'irb-only.jpg', 'iptc-irb.jpg', 'xmp-only.jpg']) {
        plain.set(source + type, await sized(source, type, []))
      }
    }
  })

  it.each(IMAGE_TYPES)('stays within the budgets in %s', async (type) => {
    const { text } = KNOWN_VALUES['exif-only.jpg']!
    for (const item of WRITTEN) {
      const added = (await sized('exif-only.jpg', type, [item])) - plain.get(`exif-only.jpg${type}`)!
      const content = item === 'copyright' ? text!.length : 0
      expect([item, added]).toSatisfy(() => added <= BUDGET[item] + content + CONTAINER[type])
      if (type !== 'image/png' || item !== 'location') expect(added).toBeGreaterThan(0)
    }
  })

  it.each(IMAGE_TYPES)('stays within the budget with a flag and a URL in %s', async (type) => {
    for (const source of ['irb-only.jpg', 'iptc-irb.jpg', 'xmp-only.jpg']) {
      const added = (await sized(source, type, ['copyright'])) - plain.get(source + type)!
      const { text = '', url = '' } = KNOWN_VALUES[source]!
      expect(added).toBeGreaterThan(text.length + url.length)
      expect([source, added]).toSatisfy(() => added <= BUDGET.copyright + text.length + url.length + CONTAINER[type])
    }
  })

  it.each(IMAGE_TYPES)('adds nothing for what %s was not given', async (type) => {
    expect(await sized('none.jpg', type, PRESERVE_ITEMS)).toBe(plain.get(`none.jpg${type}`))
  })
})

/** Bytes of a small copy with some of the source's metadata. */
async function sized(source: string, type: ImageType, items: readonly PreserveItem[]): Promise<number> {
  const { data } = await optimizer.optimize(fixture(source), { resize: SMALL, convert: { type }, preserve: items })
  return data.length
}
