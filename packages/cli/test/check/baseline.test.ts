import path from 'node:path'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { readBaseline, selected } from '../../src/check/baseline.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

async function read(report: unknown): Promise<object> {
  await folder.write({ 'report.json': JSON.stringify(report) })
  return Object.fromEntries(await readBaseline(path.join(folder.path, 'report.json'), 'report.json'))
}

describe('readBaseline', () => {
  it('reads a report of check, of compress and of a build', async () => {
    expect(await read({ version: 1, images: [{ source: 'a.png', bytes: 5, possible: 3 }] })).toEqual({ 'a.png': 5 })
    const compressed = { before: 5, after: 3, ratio: 0.6 }
    const images = [
      { ...compressed, source: 'a.png', output: 'a.png', written: true },
      { ...compressed, source: 'b.png', output: 'b.png', written: false },
      { ...compressed, source: 'c.png', output: 'c.webp', written: true },
    ]
    expect(await read({ version: 1, images })).toEqual({ 'a.png': 3, 'b.png': 5, 'c.png': 5 })
    const widths = [1, 2].map((width) => ({ ...compressed, source: 'a.png', width }))
    expect(await read({ version: 1, images: widths })).toEqual({ 'a.png': 5 })
  })

  it.each([[{ version: 2, images: [] }], [{ version: 1 }], [null], [[]]])('refuses %j', async (report) => {
    await expect(read(report)).rejects.toThrow(failure('UsageError', "'report.json'"))
  })
})

it('selected keeps what a run would look at', () => {
  const root = path.resolve('/', 'site')
  const baseline = new Map([
    ['a/b.png', 1],
    ['c.png', 2],
  ])
  expect([...selected(baseline, root, (file) => file === path.join(root, 'a', 'b.png'))]).toEqual([['a/b.png', 1]])
})
