import type { ReportImage } from '@pixpress/core/report'
import { describe, expect, it } from 'vitest'
import { createConversions } from '../../../src/session/report/conversions.ts'
import type { Conversions } from '../../../src/session/report/conversions.ts'

const IMAGE: ReportImage = {
  source: 'a.png',
  type: 'image/png',
  inputType: 'image/png',
  before: 9,
  after: 9,
  ratio: 1,
  width: 3,
  height: 3,
  cached: false,
  kept: 'input',
  notes: [],
}

/** Gives what the report says after these notes. */
function after(...notes: ((conversions: Conversions) => void)[]): unknown[] {
  const conversions = createConversions()
  for (const note of notes) note(conversions)
  const { conversion, typeKept, why } = conversions.addedTo(new Map([['a', IMAGE]])).get('a')!
  return [conversion, typeKept, why?.rule]
}

const expected = (conversions: Conversions): void => conversions.expected('a', 'kept', 'A copy.')
const ruled = (conversions: Conversions): void => conversions.outcome('a', 'kept', 'A rule says so.')
const fallback = (conversions: Conversions): void => conversions.outcome('a', 'fallback')

describe('what became of the type of an image', () => {
  it('is what was expected where nothing else is known', () => {
    expect(after()).toEqual([undefined, undefined, undefined])
    expect(after(expected)).toEqual(['kept', 'A copy.', 'A copy.'])
  })

  it('beats what was expected, whichever comes first', () => {
    const known = ['kept', 'A rule says so.', 'A rule says so.']
    expect(after(expected, ruled)).toEqual(known)
    expect(after(ruled, expected)).toEqual(known)
  })

  it('is a fallback wherever else the image stands', () => {
    const known = ['fallback', undefined, undefined]
    expect(after(fallback, ruled, expected)).toEqual(known)
    expect(after(expected, ruled, fallback)).toEqual(known)
  })
})
