import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteAsked } from '../../src/lock/asked-lines.ts'
import type { LockLine } from '../../src/lock/lines.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const digest = 'a'.repeat(64)
const line = (width: number, source: string = 'a.jpg', sha256: string = digest): LockLine => ({
  source,
  operations: { resize: { method: 'scale', width } },
  type: 'image/jpeg',
  bytes: width,
  engine: 1,
  sha256,
  result: digest,
  key: digest,
})

const note = (build: string, ...asked: LockLine[]): ReturnType<typeof noteAsked> =>
  noteAsked(path.join(folder, 'asked.json'), build, asked)

describe('noteAsked', () => {
  it('drops what a build has asked for before and does not any more', async () => {
    expect((await note('client', line(1), line(2)))(line(1))).toBe(false)
    const drops = await note('client', line(2))
    expect([1, 2, 3].map((width) => drops(line(width)))).toEqual([true, false, false])
    expect((await note('client', line(2)))(line(1))).toBe(false)
  })

  it('keeps what another build asks for, or has never been asked for by this one', async () => {
    await note('client', line(1))
    await note('server', line(1), line(2))
    const drops = await note('client', line(3))
    expect([1, 2].map((width) => drops(line(width)))).toEqual([false, false])
    expect((await note('server', line(2)))(line(1))).toBe(true)
  })

  it('tells lines apart by source, operations and the bytes of the source', async () => {
    await note('client', line(1))
    const drops = await note('client', line(2))
    expect([line(1), line(1, 'b.jpg'), line(1, 'a.jpg', 'b'.repeat(64))].map(drops)).toEqual([true, false, false])
  })

  it('forgets nothing in a build that has asked for nothing, and believes no damaged file', async () => {
    await note('client', line(1))
    await note('client')
    expect((await note('client', line(2)))(line(1))).toBe(true)
    for (const damaged of ['{"client":["', '[]', 'null', '{"client":5}']) {
      await writeFile(path.join(folder, 'asked.json'), damaged)
      expect((await note('client', line(3)))(line(2))).toBe(false)
    }
    expect(JSON.parse(await readFile(path.join(folder, 'asked.json'), 'utf8'))).toMatchObject({
      client: [expect.any(String)],
    })
  })

  it('goes on where nothing can be written', async () => {
    expect((await noteAsked(path.join(folder, 'missing/asked.json'), 'client', [line(1)]))(line(1))).toBe(false)
  })
})
