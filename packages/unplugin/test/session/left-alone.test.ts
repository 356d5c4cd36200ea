import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSettledBytes } from '../../src/session/encode/settled-bytes.ts'
import { createLeftAlone } from '../../src/session/left-alone.ts'

let root: string
let dist: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-left-')))
  dist = path.join(root, 'dist')
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function write(file: string, bytes: number): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true })
  await writeFile(path.join(root, file), Buffer.alloc(bytes))
}

function open({ publicDir = true, excluded = /^$/ } = {}) {
  const settled = createSettledBytes()
  const matches = (file: string): boolean => !excluded.test(path.relative(root, file))
  return { settled, ...createLeftAlone({ root, publicDir }, { settled, matches }) }
}

/** The clock of files has ticks of its own. */
const tick = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 30))

describe('images of an output that nothing has worked on', () => {
  it('are told from results, and from files that are to stay as they are, by their sizes', async () => {
    const { settled, output, find } = open({ excluded: /^content|^dist.own/ })
    await tick()
    settled.add(Buffer.alloc(10))
    await write('src/original.png', 20)
    settled.leave(path.join(root, 'src/original.png'))
    await Promise.all([
      write('dist/a.png', 10),
      write('dist/b.png', 20),
      write('dist/c.PNG', 30),
      write('dist/d.svg', 40),
    ])
    await Promise.all([write('dist/content/e.png', 50), write('dist/own/f.png', 60), write('dist/g.webp', 70)])
    await write('dist/node_modules/a/h.png', 80)
    output({ folder: dist })
    output({ folder: path.join(root, 'nowhere') })
    expect(await find()).toEqual([
      { file: 'dist/g.webp', bytes: 70 },
      { file: 'dist/c.PNG', bytes: 30 },
    ])
    expect(await find()).toEqual([])
  })

  it('have the query of the reference that leads to them', async () => {
    const { query, output, find } = open()
    await tick()
    await Promise.all([write('src/a.png', 10), write('dist/a-1234.png', 10)])
    query(path.join(root, 'src/a.png'), '?fn')
    output({ folder: dist })
    expect(await find()).toEqual([{ file: 'dist/a-1234.png', bytes: 10, query: '?fn' }])
  })

  it('are those of this build, with what its bundler lists and without what an earlier one may have made', async () => {
    await Promise.all([write('dist/old.png', 10), write('dist/unchanged.png', 20)])
    await tick()
    const { output, find } = open()
    await tick()
    await Promise.all([write('dist/new.png', 30), write('dist/kept.png', 40)])
    output({ folder: dist, files: [['unchanged.png'], ['unwritten.png', 50], ['gone.png']], kept: ['kept.png'] })
    expect((await find()).map(({ file }) => file)).toEqual(['dist/unwritten.png', 'dist/new.png', 'dist/unchanged.png'])
    output({ folder: dist })
    expect(await find()).toEqual([])
  })

  it('are not looked for among sources, or where copies are nobody’s concern', async () => {
    const [inSources, withoutCopies] = [open(), open({ publicDir: false })]
    await tick()
    await write('dist/a.png', 10)
    inSources.output({ folder: root })
    withoutCopies.output({ folder: dist })
    expect([await inSources.find(), await withoutCopies.find()]).toEqual([[], []])
  })
})
