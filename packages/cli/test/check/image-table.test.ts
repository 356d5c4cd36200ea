import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createImageTable } from '../../src/check/image-table.ts'
import type { Outcome } from '../../src/check/images.ts'

const ROOT = path.resolve('/site')
const at = (...parts: string[]): string => path.join(ROOT, ...parts)

describe('the table of images', () => {
  it('has each source once and in order, whatever was found twice and where it lies', () => {
    const table = createImageTable(
      [
        { folder: at('images'), places: ['b.png', 'a/c.png', 'a-c.png'] },
        { folder: at('images', 'a'), places: ['c.png'] },
        { folder: path.dirname(ROOT), places: ['other.png'] },
      ],
      ROOT,
    )
    const sources = Array.from(table, ({ source }) => source)
    expect(sources).toEqual(['../other.png', 'images/a-c.png', 'images/a/c.png', 'images/b.png'])
    expect(sources.map((_, position) => table.fileOf(position))).toEqual([
      path.join(path.dirname(ROOT), 'other.png'),
      at('images/a-c.png'),
      at('images/a/c.png'),
      at('images/b.png'),
    ])
  })

  it('is the same for one folder as for several', () => {
    for (const folder of [ROOT, at('images'), path.dirname(ROOT), path.resolve('/')]) {
      const found = (): { folder: string; places: string[] } => ({ folder, places: ['b.png', 'a/c.png', 'a-c.png'] })
      const [one, two] = [createImageTable([found()], ROOT), createImageTable([found(), found()], ROOT)]
      expect([...one]).toEqual([...two])
      const positions = Array.from(one, (_, position) => position)
      expect(positions.map(one.fileOf)).toEqual(positions.map(two.fileOf))
      expect(positions.map((position) => one.positionOf(one.sourceOf(position)))).toEqual(positions)
      expect(one.positionOf('c.png')).toBeUndefined()
    }
  })

  it('gives back what was said of an image', () => {
    const table = createImageTable([{ folder: ROOT, places: ['a.png', 'b.png', 'c.png', 'd.png'] }], ROOT)
    const due: Outcome = { bytes: 5, type: 'image/webp', inputType: 'image/png', score: 80.25, isDone: false }
    const done: Outcome = { bytes: 2 ** 33, type: 'image/svg+xml', inputType: 'image/svg+xml', isDone: true }
    table.set(0, 9, due)
    table.set(1, 2 ** 33, done)
    table.set(2, 7)
    expect([...table]).toEqual([
      { source: 'a.png', bytes: 9, outcome: due },
      { source: 'b.png', bytes: 2 ** 33, outcome: done },
      { source: 'c.png', bytes: 7 },
      { source: 'd.png', bytes: 0 },
    ])
    expect([0, 1, 2].map(table.possibleOf)).toEqual([5, 2 ** 33, 7])
    expect([2, 3].map(table.isSet)).toEqual([true, false])
    const some = table.at(Uint32Array.of(2, 0))
    expect([some.length, ...Array.from(some, ({ source }) => source)]).toEqual([2, 'c.png', 'a.png'])
  })

  it('gives back what builds ship of an image in place of the file', () => {
    const table = createImageTable([{ folder: ROOT, places: ['a.png', 'b.png'] }], ROOT)
    table.deliver(0, 9, { bytes: 5, id: 'x', outcome: { type: 'image/webp', inputType: 'image/png', score: 81 } })
    table.deliver(1, 7, { bytes: 8, id: 'y' })
    expect([...table]).toEqual([
      {
        source: 'a.png',
        bytes: 5,
        file: 9,
        id: 'x',
        outcome: { bytes: 5, type: 'image/webp', inputType: 'image/png', score: 81, isDone: true },
      },
      { source: 'b.png', bytes: 8, file: 7, id: 'y' },
    ])
    expect([table.possibleOf(0), table.possibleOf(1), table.isSet(1)]).toEqual([5, 8, true])
  })
})
