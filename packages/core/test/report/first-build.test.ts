import { describe, expect, it } from 'vitest'
import { firstBuildHint } from '../../src/report/first-build.ts'
import { image, reportOf } from './images.ts'

const made = image('a.jpg', 900, 800)
const found = image('b.jpg', 900, 800, { cached: true })

describe('hint of a first build', () => {
  it('names the folder of the cache after more than five seconds', () => {
    expect(firstBuildHint(reportOf([made], [], 5001).totals, '.cache/pixpress')).toContain('.cache/pixpress')
  })

  it.each([
    ['a short build', reportOf([made], [], 5000), '.cache/pixpress'],
    ['a build that found something in the cache', reportOf([made, found], [], 60_000), '.cache/pixpress'],
    ['a build without an image', reportOf([], [], 60_000), '.cache/pixpress'],
    ['a build that keeps nothing', reportOf([made], [], 60_000), undefined],
  ])('is not given after %s', (_, { totals }, folder) => {
    expect(firstBuildHint(totals, folder)).toBeUndefined()
  })
})
