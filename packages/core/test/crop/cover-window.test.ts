import { describe, expect, it } from 'vitest'
import { coverWindow } from '../../src/crop/cover-window.ts'
import type { SaliencyMap } from '../../src/crop/saliency.ts'

/** A map of one row or column. */
const line = (values: readonly number[], across = true): SaliencyMap => ({
  values: Float64Array.from(values),
  width: across ? values.length : 1,
  height: across ? 1 : values.length,
})

describe('coverWindow', () => {
  it('slides along the way that has room, to where most is held', () => {
    const picture = { width: 100, height: 10 }
    const window = { width: 20, height: 10 }
    const map = line([0, 0, 0, 0, 0, 0, 1, 5, 1, 0])
    expect(coverWindow(map, picture, window)).toEqual({ left: 65, top: 0, ...window })
    const rotated = { width: 10, height: 100 }
    const high = { width: 10, height: 20 }
    const column = line([0, 0, 0, 0, 0, 0, 1, 5, 1, 0], false)
    expect(coverWindow(column, rotated, high)).toEqual({ left: 0, top: 65, ...high })
  })

  it('takes the middle one of the windows that hold all', () => {
    const found = coverWindow(
      line([0, 0, 9, 0, 0, 0, 0, 0, 0, 0]),
      { width: 100, height: 10 },
      { width: 40, height: 10 },
    )
    // Windows that begin at 0 to 20 contain the value at 20 to 30, and the middle one is chosen.
    expect(found.left).toBe(10)
  })

  it('stays at an edge where the best is there, and in the centre where nothing is', () => {
    const picture = { width: 90, height: 30 }
    const window = { width: 30, height: 30 }
    expect(coverWindow(line([9, 8, 7, 0, 0, 0, 0, 0, 0]), picture, window).left).toBe(0)
    expect(coverWindow(line([0, 0, 0]), picture, window).left).toBe(30)
    expect(coverWindow(line([1, 2, 3]), picture, picture)).toEqual({ left: 0, top: 0, ...picture })
  })
})
