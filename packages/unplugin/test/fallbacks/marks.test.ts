import { expect, it } from 'vitest'
import { markOf, unmarked } from '../../src/fallbacks/marks.ts'
import type { FinishedImage } from '../../src/session/plan/images.ts'
import type { Session } from '../../src/session/session.ts'

const image = (text: string): FinishedImage => ({ data: Buffer.from(text) }) as unknown as FinishedImage

/** A session that alternatives these images beside any. */
const offering = (others: readonly string[]): Session =>
  ({
    alternatives: { of: () => Promise.resolve({ own: image('own'), others: others.map(image) }) },
  }) as unknown as Session

const mark = (others: readonly string[]): Promise<string> => markOf(offering(others), image('own'), () => undefined)

it('marks a URL with what will be offered beside the image, and takes the mark away again', async () => {
  const first = await mark(['a', 'b'])
  expect(first).toMatch(/^#pixpress-[\da-f]{16}$/)
  expect(await mark(['a', 'b'])).toBe(first)
  expect(await mark(['a', 'c'])).not.toBe(first)
  expect(await mark([])).toBe('')
  const css = '.a{background:url(/a.png)}.b{mask:url("b.svg#pixpress-logo")}'
  expect(unmarked(css.replace('/a.png', `/a.png${first}`))).toBe(css)
})
