import { describe, expect, it } from 'vitest'
import { INTERFACE_RESIZE, RESIZE, isInterfaceResize, resizeFromFlags } from '../../src/operations/resize.ts'
import { POSITION_WORDS, positionFromText } from '../../src/operations/position.ts'

describe('INTERFACE_RESIZE', () => {
  it('knows no word that a service does not', () => {
    const cover = { method: 'cover', width: 5, height: 4 }
    expect(INTERFACE_RESIZE.parse(cover, 'resize')).toEqual(cover)
    expect(() => INTERFACE_RESIZE.parse({ ...cover, method: 'contain' }, 'resize')).toThrow(/'scale', 'fit', 'cover'/)
    expect(() => INTERFACE_RESIZE.parse({ ...cover, enlarge: true }, 'resize')).toThrow(/'resize\.enlarge'/)
  })

  it('is all that isInterfaceResize lets pass', () => {
    const more = [{}, { method: 'fill' }, { kernel: 'nearest' }, { position: 'top' }, { enlarge: true }]
    const passes = more.map((each) =>
      isInterfaceResize(RESIZE.parse({ method: 'cover', width: 5, height: 4, ...each }, 'resize')),
    )
    expect(passes).toEqual([true, false, false, false, false])
  })
})

describe('resizeFromFlags', () => {
  it.each([
    [{ aspect: '16:9' }, { method: 'cover', aspect: '16:9' }],
    [
      { width: '5', height: '4', position: '0.3,0.6' },
      { method: 'cover', width: 5, height: 4, position: [0.3, 0.6] },
    ],
    [
      { width: '500', enlarge: '', kernel: 'nearest' },
      { method: 'scale', width: 500, enlarge: true, kernel: 'nearest' },
    ],
    [
      { width: '5', 'no-reduce': '' },
      { method: 'scale', width: 5, reduce: false },
    ],
  ])('reads %j', (flags, resize) => {
    expect(resizeFromFlags(flags)).toEqual(resize)
    expect(() => RESIZE.parse(resize, 'resize')).not.toThrow()
  })
})

describe('positionFromText', () => {
  it.each(POSITION_WORDS)('takes %s', (word) => {
    expect(positionFromText(word, 'position')).toBe(word)
  })

  it('takes a plus or a hyphen for the space of a corner, and points', () => {
    expect(positionFromText('right+top', 'position')).toBe('right top')
    expect(positionFromText('left-bottom', 'position')).toBe('left bottom')
    expect(positionFromText('.25,1', 'position')).toEqual([0.25, 1])
  })
})
