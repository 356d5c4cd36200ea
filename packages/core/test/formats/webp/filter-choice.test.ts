import { describe, expect, it } from 'vitest'
import { chooseFilter } from '../../../src/formats/webp/filter-choice.ts'
import type { FilterChoice } from '../../../src/formats/webp/filter-choice.ts'
import { loopFilterLevel } from '../../../src/formats/webp/loop-filter.ts'
import { open, photo } from '../../images.ts'

const at = (quality: number): Promise<Buffer> => open(photo(240, 180)).webp({ effort: 4, quality }).toBuffer()

/** Scores of files with a filter and without. */
interface Scores {
  filtered: number
  bare: number
}

/** A choice for a target of 80 by given scores, which may change, and what was scored so far. */
function choiceBy(scores: Scores): { choice: FilterChoice; scored: string[] } {
  const scored: string[] = []
  const by = (rows: string) => async (data: Uint8Array) => {
    const which = loopFilterLevel(data) === 0 ? 'bare' : 'filtered'
    scored.push(`${which}, ${rows}`)
    return scores[which]
  }
  return { choice: chooseFilter({ score: by('all rows'), sample: by('a sample') }, 80), scored }
}

describe('chooseFilter', () => {
  it('leaves the filter out of a result that scores higher without, by a sample and one score', async () => {
    const { choice, scored } = choiceBy({ filtered: 77, bare: 80.5 })
    const chosen = await choice.choose(await at(40))
    expect(loopFilterLevel(chosen)).toBe(0)
    expect(await choice.score(chosen)).toBe(80.5)
    expect(scored).toEqual(['filtered, a sample', 'bare, all rows'])
  })

  it('keeps the filter of a result that scores higher with it, and scores all rows of that', async () => {
    const { choice, scored } = choiceBy({ filtered: 80.5, bare: 77 })
    const file = await at(40)
    expect(await choice.choose(file)).toBe(file)
    expect(await choice.score(file)).toBe(80.5)
    expect(scored).toEqual(['filtered, a sample', 'bare, all rows', 'filtered, all rows'])
  })

  it.each([
    ['without its filter', { filtered: 77, bare: 81 }, 'bare, all rows'],
    ['with its filter', { filtered: 81, bare: 77 }, 'filtered, all rows'],
  ])('takes one score of a next result that reaches the target %s, as the first one did', async (_, scores, one) => {
    const { choice, scored } = choiceBy(scores)
    await choice.score(await choice.choose(await at(40)))
    const before = scored.length
    const next = await choice.choose(await at(50))
    expect(await choice.score(next)).toBe(81)
    expect(scored.slice(before)).toEqual([one])
  })

  it.each([
    ['with the filter', { filtered: 77, bare: 81 }, { filtered: 80.5, bare: 79 }],
    ['without the filter', { filtered: 81, bare: 77 }, { filtered: 79, bare: 80.5 }],
  ])('looks at a next result %s as well where it misses the target otherwise', async (_, first, second) => {
    const scores = { ...first }
    const { choice } = choiceBy(scores)
    await choice.choose(await at(40))
    Object.assign(scores, second)
    expect(await choice.score(await choice.choose(await at(50)))).toBe(80.5)
  })

  it('takes no score of results whose filter hardly counts', async () => {
    const { choice, scored } = choiceBy({ filtered: 80, bare: 90 })
    const file = await at(99)
    expect(loopFilterLevel(file)).toBeLessThan(5)
    expect(await choice.choose(file)).toBe(file)
    expect(scored).toEqual([])
  })
})
