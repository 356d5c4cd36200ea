import { describe, expect, it } from 'vitest'
import { chooseFilter } from '../../../src/formats/webp/filter-choice.ts'
import { loopFilterLevel } from '../../../src/formats/webp/loop-filter.ts'
import { open, photo } from '../../images.ts'

const at = (quality: number): Promise<Buffer> => open(photo(240, 180)).webp({ effort: 4, quality }).toBuffer()

/** A choice by scores that are given for files with a filter and without, and the number of scores. */
function choiceBy(filtered: number, bare: number): { choice: ReturnType<typeof chooseFilter>; scores: () => number } {
  let count = 0
  const choice = chooseFilter(async (data) => {
    count++
    return loopFilterLevel(data) === 0 ? bare : filtered
  })
  return { choice, scores: () => count }
}

describe('chooseFilter', () => {
  it('leaves the filter out of all results where the first one scores higher without, by two scores', async () => {
    const { choice, scores } = choiceBy(77, 80.5)
    const first = await choice.choose(await at(40))
    expect(loopFilterLevel(first)).toBe(0)
    expect(await choice.score(first)).toBe(80.5)
    expect(choice.isLeftOut).toBe(true)
    expect(scores()).toBe(2)
    expect(loopFilterLevel(await choice.choose(await at(50)))).toBe(0)
    expect(scores()).toBe(2)
  })

  it.each([
    ['scores higher with it', 80.5, 77],
    ['gains too little without', 80, 80.2],
  ])('keeps the filter of all results where the first one %s', async (_, filtered, bare) => {
    const { choice, scores } = choiceBy(filtered, bare)
    const file = await at(40)
    expect(await choice.choose(file)).toBe(file)
    expect(await choice.score(file)).toBe(filtered)
    expect(choice.isLeftOut).toBe(false)
    const next = await at(50)
    expect(await choice.choose(next)).toBe(next)
    expect(scores()).toBe(2)
  })

  it('takes no score of results whose filter hardly counts', async () => {
    const { choice, scores } = choiceBy(80, 90)
    const file = await at(99)
    expect(loopFilterLevel(file)).toBeLessThan(5)
    expect(await choice.choose(file)).toBe(file)
    expect(scores()).toBe(0)
  })
})
