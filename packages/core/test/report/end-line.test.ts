import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { describeWorth, endLine } from '../../src/report/end-line.ts'
import { STEPS, worthMost, worthOf } from '../../src/report/worth.ts'
import type { Step } from '../../src/report/worth.ts'
import { image, reportOf } from './images.ts'

const report = reportOf([image('a.jpg', 2_500_000, 1_200_000)])

describe('the last line', () => {
  it('says what was achieved, and the step that is worth most', () => {
    expect(endLine(report, { width: 100, full: false })).toBe('pixpress  2.5 MB → 1.2 MB (-52%)')
    expect(endLine({ ...report, worth: worthOf('convert-auto', 190_000, 20) }, { width: 100, full: false })).toBe(
      "pixpress  2.5 MB → 1.2 MB (-52%); `convert: 'auto'` would save 190.0 kB more",
    )
  })

  it('says of how many images a step was computed', () => {
    expect(describeWorth(worthOf('convert-auto', 190_000, 3, 20))).toEqual(
      naming("`convert: 'auto'`", '190.0 kB', '3', '20 images'),
    )
  })

  it('is not there without images', () => {
    expect(endLine(reportOf([]), { width: 80, full: false })).toBe('')
  })

  it('goes on in a second line where there is no room', () => {
    expect(
      endLine({ ...report, worth: worthOf('effort-max', 190_000, 3, 20) }, { width: 39, full: false }).split('\n'),
    ).toEqual([
      'pixpress  2.5 MB → 1.2 MB (-52%);',
      "  `effort: 'max'` would save 190.0 kB",
      '  more in the 3 of 20 images that were',
      '  tried',
    ])
  })

  it.each(Object.keys(STEPS) as Step[])('has a sentence for the step %s, with its bytes', (step) => {
    const said = describeWorth(worthOf(step, 12_300, 2))
    expect(said).toContain(STEPS[step].setting)
    expect(said).toContain('12.3 kB')
  })
})

describe('worthMost', () => {
  it('is the step that saves most, and none that saves next to nothing', () => {
    const [small, large] = [worthOf('effort-max', 999, 1), worthOf('convert-auto', 5_000, 1)]
    expect(worthMost([small, undefined, large, worthOf('one-of-same', 4_000, 2)])).toBe(large)
    expect(worthMost([small, undefined])).toBeUndefined()
  })
})
