import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sha256 } from '@pixpress/core/internal'
import type { LockLine } from '@pixpress/core/internal'
import type { Why } from '@pixpress/core/report'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/check/images.ts'
import { INDEX_NAME, openOutcomeIndex } from '../../src/check/outcome-index.ts'
import type { OutcomeIndex } from '../../src/check/outcome-index.ts'

const keyOf = (start: string): string => start.padEnd(64, '0')
const WHY: Why = { because: 'guarded', guard: 'band', x: 3, y: 0, otherwise: { type: 'image/webp', bytes: 300 } }
const DONE: Outcome = { bytes: 900, type: 'image/png', inputType: 'image/png', isDone: true }
const DUE: Outcome = { bytes: 500, type: 'image/svg+xml', inputType: 'image/svg+xml', score: 80.25, isDone: false }

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const open = (given: { isWritable?: boolean; hasRemote?: boolean; limits?: string } = {}): Promise<OutcomeIndex> =>
  openOutcomeIndex({ dir, isWritable: true, hasRemote: false, limits: '{}', ...given })

async function write(outcomes: Readonly<Record<string, Outcome>>): Promise<void> {
  const index = await open()
  for (const [start, outcome] of Object.entries(outcomes))
    index.note(keyOf(start), outcome, keyOf('ee'), outcome.isDone)
  await index.write()
}

describe('the index of outcomes', () => {
  it('gives back what was noted, and nothing else', async () => {
    await write({ aa: DONE, bb: DUE })
    const index = await open()
    expect([index.find(keyOf('aa')), index.find(keyOf('bb')), index.find(keyOf('cc'))]).toEqual([DONE, DUE, undefined])
  })

  it.each<Why>([
    { because: 'smallest' },
    { because: 'second-loss', otherwise: { type: 'image/jpeg', bytes: 800 } },
    WHY,
  ])('gives back why an image is no smaller: $because', async (why) => {
    await write({ aa: { ...DONE, why }, bb: { ...DUE, why } })
    const index = await open()
    expect(['aa', 'bb'].map((start) => index.find(keyOf(start))?.why)).toEqual([why, why])
  })

  it('keeps what other runs have noted, and writes nothing where there is nothing new', async () => {
    await write({ aa: DONE })
    await write({ bb: DUE })
    const index = await open()
    expect([index.find(keyOf('aa')), index.find(keyOf('bb'))]).toEqual([DONE, DUE])
    await rm(path.join(dir, INDEX_NAME))
    await index.write()
    expect(await readdir(dir)).toEqual([])
  })

  it('writes nothing into a folder that is only read', async () => {
    const index = await open({ isWritable: false })
    index.note(keyOf('aa'), DONE, keyOf('ee'), true)
    await index.write()
    expect(await readdir(dir)).toEqual([])
  })

  it('does not say that something is left to do where a remote may know better', async () => {
    await write({ aa: DONE, bb: DUE })
    const index = await open({ hasRemote: true })
    expect([index.find(keyOf('aa')), index.find(keyOf('bb'))]).toEqual([DONE, undefined])
  })

  it('does not say that an image is a result of an earlier run once the cache may have forgotten it', async () => {
    const index = await open()
    index.note(keyOf('aa'), DONE, keyOf('ee'), false)
    await index.write()
    expect((await open()).find(keyOf('aa'))).toEqual(DONE)
    await mkdir(path.join(dir, 'v1/ee'), { recursive: true })
    expect((await open()).find(keyOf('aa'))).toBeUndefined()
  })

  it('says nothing to a run with other limits', async () => {
    await write({ aa: DONE })
    expect((await open({ limits: '{"maxPixels":1}' })).find(keyOf('aa'))).toBeUndefined()
  })

  it('reads the lines that other runs have written', async () => {
    const body = Buffer.from(`["{}",["aa","none"],["ee","none"]]\n${keyOf('aa')} 2 900 image/png - - ee\n`)
    await writeFile(path.join(dir, INDEX_NAME), `${sha256(body)}\n${body.toString()}`)
    expect((await open()).find(keyOf('aa'))).toEqual(DONE)
  })

  it('gives back results of another type, by themselves, as long as the cache has not changed', async () => {
    const { isDone: _, ...outcome } = { ...DUE, type: 'image/webp' as const }
    const result = keyOf('0a')
    const index = await open()
    index.noteConverted(keyOf('aa'), { outcome, result, isDoneBesides: true }, keyOf('ee'))
    index.noteConverted(keyOf('bb'), { outcome, result, isDoneBesides: false }, keyOf('ee'))
    // If two files have the same bytes, the one whose result is there already says less.
    index.noteConverted(keyOf('bb'), { outcome, result, isDoneBesides: undefined }, keyOf('ee'))
    index.noteConverted(keyOf('cc'), { outcome, result, isDoneBesides: undefined }, keyOf('ee'))
    await index.write()
    const later = await open()
    expect(['aa', 'bb', 'cc', 'dd'].map((start) => later.findConverted(keyOf(start))?.isDoneBesides)).toEqual([
      true,
      false,
      undefined,
      undefined,
    ])
    expect(later.findConverted(keyOf('cc'))).toEqual({ outcome, result, isDoneBesides: undefined })
    expect(later.find(keyOf('aa'))).toBeUndefined()
    await mkdir(path.join(dir, 'v1/aa'), { recursive: true })
    expect((await open()).findConverted(keyOf('aa'))).toBeUndefined()
    expect((await open()).findConverted(keyOf('bb'))).toBeDefined()
    await mkdir(path.join(dir, 'v1/ee'), { recursive: true })
    expect((await open()).findConverted(keyOf('bb'))).toBeUndefined()
  })

  it('knows an entry as the lock has it until that entry may have changed, and no other', async () => {
    const line = { key: keyOf('aa'), sha256: keyOf('01'), result: keyOf('02') } as LockLine
    const index = await open()
    expect(index.findLocked(line)).toBeUndefined()
    index.noteAsLocked(line, WHY)
    await index.write()
    const later = await open()
    expect(later.findLocked(line)).toEqual({ why: WHY })
    for (const other of ['key', 'sha256', 'result'] as const) {
      expect(later.findLocked({ ...line, [other]: keyOf('03') }), other).toBeUndefined()
    }
    expect((await open({ hasRemote: true })).findLocked(line)).toBeUndefined()
    await mkdir(path.join(dir, 'v1/aa'), { recursive: true })
    expect((await open()).findLocked(line)).toBeUndefined()
  })

  it('keeps of other runs the lines that were met last', async () => {
    await write({ aa: DONE, bb: DONE, cc: DONE })
    const index = await open()
    index.find(keyOf('aa'))
    index.note(keyOf('dd'), DONE, keyOf('ee'), true)
    await index.write()
    const lines = (await readFile(path.join(dir, INDEX_NAME), 'latin1')).split('\n').slice(2, -1)
    expect(lines.map((each) => each.slice(0, 2))).toEqual(['bb', 'cc', 'aa', 'dd'])
  })

  it('uses nothing of a file of which any byte was changed, or which is cut', async () => {
    await write({ aa: DONE, bb: DONE })
    const file = path.join(dir, INDEX_NAME)
    const whole = await readFile(file)
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1
      await writeFile(file, at % 2 === 0 ? damaged : whole.subarray(0, at))
      const index = await open()
      expect(index.find(keyOf('aa')), `byte ${at}`).toBeUndefined()
    }
  })

  it('passes over lines that it does not understand', async () => {
    const rest = [
      '900 image/png - - ee',
      '2 x image/png - - ee',
      '2 900 image/gif2 - - ee',
      '2 900 image/png - - ',
      '2 900 image/png - ee',
      '3 900 image/png - - ee',
      '2 900 image/png - because ee',
      '2 900 image/png - guarded,image/png,x ee',
      '2 900 image/png - guarded,image/png,9,nobody,1,1 ee',
    ]
    for (const [position, line] of [...rest, ''].entries()) {
      const body = Buffer.from(`["{}",["00","none"]]\n${keyOf('aa')} ${line}\n`)
      await writeFile(path.join(dir, INDEX_NAME), `${sha256(body)}\n${body.toString()}`)
      expect((await open()).find(keyOf('aa')), `line ${position}`).toBeUndefined()
    }
    await writeFile(path.join(dir, INDEX_NAME), `${sha256(Buffer.from('no JSON'))}\nno JSON`)
    expect((await open()).find(keyOf('aa'))).toBeUndefined()
  })
})
