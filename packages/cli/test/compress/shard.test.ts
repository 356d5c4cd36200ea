import path from 'node:path'
import { graphic, failure, naming } from '@pixpress/testkit'
import type { Report } from '@pixpress/core/report'
import { describe, expect, it } from 'vitest'
import schema from '../../../../docs/report.schema.json' with { type: 'json' }
import { schemaDisagreements } from '@pixpress/testkit'
import { ofShard, parseShard } from '../../src/compress/shard.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const inputsOf = (cwd: string, names: readonly string[]): { file: string; place: string }[] =>
  names.map((name) => ({ file: path.join(cwd, name), place: name }))

const NAMES = Array.from({ length: 400 }, (_, index) => `images/${index % 7}/picture ${index}.png`)

/** The names that each part has. */
const partsOf = (count: number, names = NAMES, cwd = path.resolve('/somewhere')): string[][] =>
  Array.from({ length: count }, (_, index) =>
    ofShard(inputsOf(cwd, names), { index: index + 1, count }, cwd).map(({ place }) => place),
  )

describe('ofShard', () => {
  it.each([1, 2, 3, 16])('gives %i parts that have every file once', (count) => {
    const parts = partsOf(count)
    expect(parts.flat().toSorted()).toEqual(NAMES.toSorted())
    // The share of each of 16 parts is 25 of 400 names; its standard deviation is 5.
    for (const { length } of parts) expect(length).toBeGreaterThan(400 / count / 3)
  })

  it('leaves a file in its part when others come and go, and wherever the folder lies', () => {
    const [few, moved] = [partsOf(5, NAMES.slice(0, 100)), partsOf(5, NAMES, path.resolve('/else/where'))]
    const all = partsOf(5)
    expect(moved).toEqual(all)
    for (const [index, part] of few.entries()) expect(all[index]).toEqual(expect.arrayContaining(part))
  })
})

describe('parseShard', () => {
  it('reads the part and their number', () => {
    expect(parseShard('3/16', {})).toEqual({ index: 3, count: 16 })
    expect(parseShard('1/1', {})).toEqual({ index: 1, count: 1 })
  })

  it.each(['0/4', '5/4', '4', '1/0', '-1/4', '1.5/4', '1/4/2', '', 'a/b'])("refuses '%s'", (text) => {
    expect(() => parseShard(text, {})).toThrow(failure('UsageError', 'K/N', '1', "'3/16'", "'--shard'", `'${text}'`))
  })
})

describe('pixpress compress --shard', () => {
  it('has each image in one of the parts, and says which part it was', async () => {
    const names = ['a.png', 'b.png', 'c/d.png', 'c/e.png', 'f.png']
    const image = await graphic(40, 30).png()
    await folder.write(Object.fromEntries(names.map((name) => [name, image])))
    const written: string[] = []
    for (const part of ['1/3', '2/3', '3/3']) {
      const { code, stdout } = await folder.run(['compress', '.', '--shard', part, '--json'])
      const report = JSON.parse(stdout) as Report
      expect([code, report.failures, schemaDisagreements(report, schema)]).toEqual([0, [], []])
      expect(report.shard).toEqual({ index: Number(part[0]), count: 3, of: 5 })
      written.push(...report.images.filter((each) => each.written).map(({ source }) => source))
    }
    expect(written.toSorted()).toEqual(names)
    for (const name of names) expect((await folder.read(name)).length).toBeLessThan(image.length)
  })

  it('tells people how many images are its own', async () => {
    await folder.write({ 'a.png': await graphic(40, 30).png(), 'b.png': await graphic(30, 40).png() })
    const lines = await Promise.all(
      ['1/2', '2/2'].map(async (part) => {
        const { stdout } = await folder.run(['compress', '.', '--shard', part, '--dry-run'])
        return /^Shard (\d)\/2: (\d) of 2 images\.$/m.exec(stdout)?.slice(1).map(Number)
      }),
    )
    expect(lines.map((line) => line?.[0])).toEqual([1, 2])
    expect(lines.reduce((sum, line) => sum + (line?.[1] ?? NaN), 0)).toBe(2)
  })

  it('ends with code 2 for a part that is none', async () => {
    await folder.write({ 'a.png': await graphic(40, 30).png() })
    const { code, stderr } = await folder.run(['compress', '.', '--shard', '3/2'])
    expect([code, stderr]).toEqual([2, naming("'--shard'", "'3/2'")])
  })
})

describe('pixpress check --shard', () => {
  it('looks at each image in one of the parts', async () => {
    const names = ['a.png', 'b.png', 'c.png', 'd.png']
    const image = await graphic(40, 30).png()
    await folder.write(Object.fromEntries(names.map((name) => [name, image])))
    const found: string[] = []
    for (const part of ['1/2', '2/2']) {
      const { stdout } = await folder.run(['check', '--shard', part, '--format', 'json'])
      const { findings } = JSON.parse(stdout) as { findings: { source: string }[] }
      found.push(...findings.map(({ source }) => source))
    }
    expect(found.toSorted()).toEqual(names)
  })
})
