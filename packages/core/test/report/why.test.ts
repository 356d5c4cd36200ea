import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WHY_NAMES, describeOther, describeTogether, describeWhy, whyOf } from '../../src/report/why.ts'
import type { Why } from '../../src/report/why.ts'
import { renderReport } from '../../src/report/table.ts'
import { pageData } from '../../src/report/page-data.ts'
import { image, reportOf } from './images.ts'

const otherwise = { type: 'image/jpeg', bytes: 86_000 } as const

/**
 * One example of each reason, and its sentence if 100 kB are delivered. A reason that is missing here fails the first
 * test.
 */
const SAID: readonly (readonly [Why, string])[] = [
  [{ because: 'finished' }, 'An earlier run of pixpress made this file.'],
  [{ because: 'compressed' }, 'Its colours were reduced before. Start from the original to save more.'],
  [{ because: 'smallest' }, 'Nothing clearly smaller looks the same.'],
  [
    { because: 'second-loss', otherwise },
    'It was compressed before, and about 14% less is too little to lose detail again. Start from the original to save more.',
  ],
  [
    { because: 'guarded', guard: 'edges', x: 120, y: 48, otherwise: { type: 'image/png', bytes: 44_000 } },
    'A smaller one (PNG, about 44.0 kB) shows jagged edges at 120, 48.',
  ],
  [
    { because: 'guarded', guard: 'twice', x: 0, y: 0, otherwise: { type: 'image/png', bytes: 44_000 } },
    'A smaller one (PNG, about 44.0 kB) shows damage on 2× screens.',
  ],
  [{ because: 'credentials' }, 'It stays byte for byte, as its content credentials hold for no other bytes.'],
  [{ because: 'unsupported' }, 'Images of this kind are not changed.'],
  [{ because: 'little', otherwise }, "About 14% less is below what '--min-saving' asks for."],
  [{ because: 'texture', rule: 'Lossless, as a 3D model loads it.' }, 'Lossless, as a 3D model loads it.'],
  [{ because: 'own-type', rule: 'No other type is smaller.' }, 'No other type is smaller.'],
]

describe('why an image is as it is', () => {
  it('has a sentence for every reason, each in this list', () => {
    const listed = new Set(SAID.map(([{ because }]) => because))
    expect([...listed].sort()).toEqual([...WHY_NAMES].sort())
    const schema = JSON.parse(
      readFileSync(new URL('../../../../docs/report.schema.json', import.meta.url), 'utf8'),
    ) as {
      $defs: { image: { properties: { why: { properties: { because: { enum: string[] } } } } } }
    }
    expect(schema.$defs.image.properties.why.properties.because.enum.toSorted()).toEqual([...WHY_NAMES].sort())
  })

  it.each(SAID)('says of %o: %s', (why, sentence) => {
    expect(describeWhy(why, 100_000)).toBe(sentence)
  })

  it('is said in the same words by the table and the page', () => {
    for (const [why, sentence] of SAID) {
      const report = reportOf([image('a.jpg', 100_000, 100_000, { why })])
      expect(renderReport(report, { width: 200, color: false, full: true }).split('\n')).toContain(`    ${sentence}`)
      expect(pageData(report).images[0]!.why).toBe(sentence)
    }
  })

  it('is counted by the page without figures, so that images of one kind stand together', () => {
    const kinds = SAID.map(([why]) => pageData(reportOf([image('a.jpg', 100_000, 100_000, { why })])).images[0]!.kind!)
    for (const kind of kinds) expect(kind.replace('3D', '')).not.toMatch(/\d/)
    expect(new Set(kinds).size).toBe(WHY_NAMES.length)
  })

  it('has a sentence for several images, without the figures of any', () => {
    const together = SAID.map(([why]) => describeTogether(why))
    expect(new Set(together).size).toBe(WHY_NAMES.length)
    for (const sentence of together) expect(sentence.replace('3D', '')).not.toMatch(/\d|\bIts\b|\bIt\b (?:was|is)/)
  })

  it('is followed by what the image would be with convert, by table and page, where that is known', () => {
    const wouldBe = { type: 'image/avif', bytes: 41_000 } as const
    expect(describeOther(wouldBe)).toBe('would be 41.0 kB as AVIF')
    const report = reportOf([image('a.jpg', 100_000, 90_000, { wouldBe }), image('b.jpg', 100_000, 90_000)])
    const full = renderReport(report, { width: 200, color: false, full: true })
    expect(full.match(/^ {4}With convert: 'auto' it would be 41\.0 kB as AVIF\.$/gm)).toHaveLength(1)
    expect(pageData(report).images.map((each) => each.wouldBe)).toEqual(['would be 41.0 kB as AVIF', undefined])
  })

  it('does not speak of an earlier run, unless one made the file', () => {
    const others = SAID.filter(([{ because }]) => because !== 'finished')
    for (const [, sentence] of others) expect(sentence).not.toMatch(/earlier run/i)
  })

  it('is made of what the engine found', () => {
    expect(whyOf({ type: 'image/jpeg', reason: 'second-loss', declined: 86_000 })).toEqual({
      because: 'second-loss',
      otherwise,
    })
    const refused = { type: 'image/png', size: 44_000, guard: 'gone', x: 1, y: 2 } as const
    const guarded = { because: 'guarded', guard: 'gone', x: 1, y: 2, otherwise: { type: 'image/png', bytes: 44_000 } }
    expect(whyOf({ type: 'image/png', reason: 'guarded', refused })).toEqual(guarded)
    // A lossless result replaces it, with other bytes than the source.
    expect(whyOf({ type: 'image/png', refused })).toEqual(guarded)
    expect(whyOf({ type: 'image/png' })).toBeUndefined()
  })
})
