import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { INPUT_TYPES } from '@pixpress/core/internal'
import { afterAll, describe, expect, it } from 'vitest'
import { caseOf, corpusOf } from '../../scripts/fuzz/cases.mjs'
import { fuzz } from '../../scripts/fuzz/run.mjs'
import { TARGETS } from '../../scripts/fuzz/targets.mjs'

/** The seed of every run of the tests: what passes once passes again. */
const SEED = 'pixpress'

const NAMES = Object.keys(TARGETS)

const targets = new URL('../../scripts/fuzz/targets.mjs', import.meta.url)
const folder = mkdtempSync(path.join(os.tmpdir(), 'pixpress-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One digest of some cases. */
function digest(name: string, seed: string): string {
  const corpus = corpusOf(TARGETS[name]!)
  const hash = createHash('sha256')
  for (let number = 0; number < 20; number++) hash.update(caseOf(name, TARGETS[name]!, corpus, { seed, number }).bytes)
  return hash.digest('hex')
}

describe('the cases of a seed', () => {
  it.each(NAMES)('%s: are the same each time, and others of another', (name) => {
    expect(corpusOf(TARGETS[name]!).length).toBeGreaterThan(0)
    expect(digest(name, SEED)).toBe(digest(name, SEED))
    expect(digest(name, SEED)).not.toBe(digest(name, 'another'))
  })

  it('have a target for every type that is read', () => {
    expect(NAMES).toEqual(expect.arrayContaining(INPUT_TYPES.map((type) => type.replace(/^image\/|\+xml$/g, ''))))
  })
})

describe('a finding', () => {
  const broken = new URL('broken-targets.mjs', import.meta.url)
  const run = (name: string, time = 30_000): ReturnType<typeof fuzz> =>
    fuzz({ targets: broken, name, seed: SEED, from: 0, to: 3, folder, time })

  it.each([
    ['crashes', /The process ended with (?:SIGABRT|SIGSEGV|code 134)/],
    ['throws', /TypeError: of the reader's own/],
    ['swallows', /It took \d+ MB/],
    ['hangs', /It hangs: more than 3000 ms/],
  ])('%s: is told with its file, and the cases behind it are run', async (name, problem) => {
    const { cases, findings } = await run(name, name === 'hangs' ? 3000 : 60_000)
    expect(cases).toBe(3)
    expect(findings).toEqual([
      expect.objectContaining({ target: name, number: 1, problem: expect.stringMatching(problem) }),
    ])
    const { TARGETS: rows } = (await import(broken.href)) as { TARGETS: typeof TARGETS }
    const { bytes } = caseOf(name, rows[name]!, corpusOf(rows[name]!), { seed: SEED, number: 1 })
    expect(readFileSync(findings[0]!.file).equals(bytes)).toBe(true)
    expect(path.basename(findings[0]!.file)).toBe(`${name}-${SEED}-1`)
  })
})

describe('damaged files', () => {
  it.each(NAMES)('%s: each gives a result or an error that explains itself', async (name) => {
    const { cases, findings } = await fuzz({ targets, name, seed: SEED, from: 0, to: TARGETS[name]!.cases, folder })
    expect(findings).toEqual([])
    expect(cases).toBe(TARGETS[name]!.cases)
  })
})
