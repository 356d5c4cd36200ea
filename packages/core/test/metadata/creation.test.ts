import { describe, expect, it } from 'vitest'
import { exifDateTime, isCreation, isoDateTime, parseCreation } from '../../src/metadata/creation.ts'

describe('parseCreation', () => {
  it.each([
    ['2021:07:04 18:30:15', '2021:07:04 18:30:15'],
    ['  2021:07:04 18:30:15  ', '2021:07:04 18:30:15'],
    ['2021-07-04T18:30:15+02:00', '2021:07:04 18:30:15+02:00'],
    ['2021-07-04T18:30:15-0330', '2021:07:04 18:30:15-03:30'],
    ['2021-07-04T18:30:15.25Z', '2021:07:04 18:30:15Z'],
    ['2021-07-04T18:30', '2021:07:04 18:30:00'],
    ['2021/07/04 18:30:15', '2021:07:04 18:30:15'],
    ['2021-07-04', '2021:07:04'],
    ['2021:07:04   :  :  ', '2021:07:04'],
    ['Sun, 04 Jul 2021 18:30:15 +0200', '2021:07:04 18:30:15+02:00'],
    ['4 Jul 2021 18:30 GMT', '2021:07:04 18:30:00Z'],
    ['Sun, 04 Jul 2021 18:30:15 EST', '2021:07:04 18:30:15'],
  ])('reads %s', (text, expected) => {
    expect(parseCreation(text)).toBe(expected)
    expect(isCreation(expected)).toBe(true)
    expect(parseCreation(isoDateTime(expected))).toBe(expected)
    expect(exifDateTime(expected)).toHaveLength(19)
    expect(parseCreation(exifDateTime(expected))).toBe(expected.slice(0, 19))
  })

  it.each([
    '',
    '    :  :     :  :  ',
    '0000:00:00 00:00:00',
    '2021:13:04 18:30:15',
    '2021:07:32 18:30:15',
    '2021:07:04 24:30:15',
    '2021:07:04 18:60:15',
    '2021-07',
    'Sun, 04 Foo 2021 18:30:15',
    'yesterday',
    `2021:07:04${' '.repeat(100_000)}x`,
  ])('refuses %s', (text) => {
    expect(parseCreation(text)).toBeUndefined()
  })
})
