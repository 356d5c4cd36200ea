import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/sha256.ts'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { parseLock, renderLock } from '../../src/lock/lines.ts'
import type { LockLine } from '../../src/lock/lines.ts'
import { readLock } from '../../src/lock/open-lock.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { ENGINE_REVISION } from '../../src/base/versions.ts'
import { open as sharpOf, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'

const RESIZED: Operations = { resize: { method: 'scale', width: 24 }, convert: { type: 'image/webp' } }

/** The requests of the build, in this order. The last result is that of an older engine. */
const ASKED: readonly (readonly [string, Operations])[] = [
  ['a.jpg', {}],
  ['a.jpg', RESIZED],
  ['b.jpg', {}],
  ['c.jpg', RESIZED],
]

const cache = createMemoryCache()
const optimizer = createOptimizer({ cache })
const sources = new Map<string, Buffer>()
const warnings: string[] = []
let folder: string
let file: string
/** The lock as builds leave it. */
let right: string
/** The last line as this engine would make it, and the form in which it is compared. */
let fresh: string
let asOlderLine: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  file = path.join(folder, 'pixpress.lock')
  for (const [at, name] of ['a.jpg', 'b.jpg', 'c.jpg', 'unused.jpg'].entries()) {
    const bytes = await sharpOf(photo(48, 32, at))
      .jpeg({ quality: 97 })
      .toBuffer()
    sources.set(name, bytes)
    await writeFile(path.join(folder, name), bytes)
  }
  await build()
  fresh = JSON.stringify((await lines()).at(-1)!)
  await age((await lines()).at(-1)!)
  await build()
  right = await readFile(file, 'utf8')
  asOlderLine = right
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/"engine":\d+/, '"engine":"older"')
  expect(parseLock(right, '').map(({ engine }) => engine)).toEqual([
    ENGINE_REVISION,
    ENGINE_REVISION,
    ENGINE_REVISION,
    ENGINE_REVISION - 1,
  ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => warnings.splice(0))

const lines = async (): Promise<LockLine[]> => parseLock(await readFile(file, 'utf8'), '')

async function build(): Promise<void> {
  const lock = await readLock({ file, onWarning: (message) => warnings.push(message) })
  for (const [name, operations] of ASKED) {
    const at = path.join(folder, name)
    const plan = optimizer.plan(sources.get(name)!, operations)
    lock.note(at, plan, await optimizer.materialize(plan, { pinned: lock.lockedAs(at, plan)?.pinned }))
  }
  await lock.write()
}

/** Changes a line as if an older engine had made its result, which the cache then has under another key. */
async function age(line: LockLine): Promise<void> {
  const key = sha256(Buffer.from(`older ${line.key}`))
  const { meta, data } = (await cache.get(line.key))!
  await cache.set(key, { meta, data })
  const others = (await lines()).filter((each) => each.key !== line.key)
  await writeFile(file, renderLock([...others, { ...line, key, engine: ENGINE_REVISION - 1 }]))
}

/** Returns `mended`, or the warnings. */
async function outcomeOf(text: string): Promise<string> {
  warnings.splice(0)
  await writeFile(file, text)
  try {
    await build()
  } catch (error) {
    return (error as Error).message
  }
  const after = await readFile(file, 'utf8')
  if (asOlder(after) === asOlder(right)) return 'mended'
  return warnings.join() || `neither mended nor named:\n${after}`
}

/**
 * Replaces the revisions of older engines in a lock by one word, because it makes no difference which of them made a
 * result: it stays until an upgrade. A result that is no longer recognized as an older engine's is made again by this
 * one.
 */
const asOlder = (text: string): string =>
  text
    .replaceAll(/"engine":(\d+)/g, (all, engine) => (Number(engine) < ENGINE_REVISION ? '"engine":"older"' : all))
    .replace(fresh, () => asOlderLine)

const row = (at: number, change: (line: LockLine) => object): string => {
  const rows = right.split('\n')
  rows[at + 1] = JSON.stringify(change(JSON.parse(rows[at + 1]!) as LockLine))
  return rows.join('\n')
}
const doubled = (at: number, change: (line: LockLine) => object): string => {
  const rows = right.split('\n')
  rows.splice(at + 2, 0, JSON.stringify(change(JSON.parse(rows[at + 1]!) as LockLine)))
  return rows.join('\n')
}
const OTHER = 'f'.repeat(64)

describe('a build mends', () => {
  it.each<[string, object]>([
    ['source', { source: 'gone.jpg' }],
    ['source of another file', { source: 'unused.jpg' }],
    ['operations', { operations: { score: 81 } }],
    ['operations of another size', { operations: { resize: { method: 'scale', width: 7 }, score: 80 } }],
    ['type', { type: 'image/avif' }],
    ['bytes', { bytes: 7 }],
    ['score', { score: 12.5 }],
    ['score that is gone', { score: undefined }],
    ['draft', { draft: true }],
    ['engine, to an older one', { engine: 1 }],
    ['engine, to a newer one', { engine: ENGINE_REVISION + 5 }],
    ['engine, to a service', { engine: 'service' }],
    ['sha256', { sha256: OTHER }],
    ['result', { result: OTHER }],
    ['key', { key: OTHER }],
  ])('an edited %s', async (_, members) => {
    for (const at of [0, 1, 2]) expect(await outcomeOf(row(at, (line) => ({ ...line, ...members })))).toBe('mended')
  })

  it('a deleted line, a doubled one, and both lines of a merge in either order', async () => {
    for (const at of [0, 1, 2]) {
      expect(
        await outcomeOf(
          right
            .split('\n')
            .toSpliced(at + 1, 1)
            .join('\n'),
        ),
      ).toBe('mended')
      expect(await outcomeOf(doubled(at, (line) => line))).toBe('mended')
      const other = { sha256: OTHER, result: OTHER, key: OTHER, bytes: 99 }
      expect(await outcomeOf(doubled(at, (line) => ({ ...line, ...other })))).toBe('mended')
      const first = row(at, (line) => ({ ...line, ...other })).split('\n')
      expect(await outcomeOf(first.toSpliced(at + 2, 0, right.split('\n')[at + 1]!).join('\n'))).toBe('mended')
    }
  })

  it('doubled lines of an image that it does not ask for: that of the file as it is stays', async () => {
    const digest = sha256(sources.get('unused.jpg')!)
    const line = { ...parseLock(right, '')[0]!, source: 'unused.jpg', key: OTHER }
    const both = [
      { ...line, sha256: digest },
      { ...line, sha256: OTHER },
    ]
    for (const pair of [both, both.toReversed()]) {
      await writeFile(file, right + pair.map((each) => `${JSON.stringify(each)}\n`).join(''))
      await build()
      expect((await lines()).filter(({ source }) => source === 'unused.jpg')).toEqual([both[0]])
    }
  })

  it('a draft that no longer says that it is one', async () => {
    const fast = await optimizer.optimize(sources.get('b.jpg')!, { effort: 'fast' })
    const members = { key: fast.key, bytes: fast.data.length, result: sha256(fast.data), score: fast.score }
    expect(await outcomeOf(row(2, (line) => ({ ...line, ...members })))).toBe('mended')
  })
})

/** Numbers that are the same in every run (a linear congruential generator, as in Numerical Recipes). */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** One random edit, as a person, a merge or a broken disk would make it. */
function edited(random: (below: number) => number): string {
  const rows = right.split('\n').slice(0, -1)
  const at = 1 + random(rows.length - 1)
  const line = JSON.parse(rows[at]!) as Record<string, unknown>
  const name = Object.keys(line)[random(Object.keys(line).length)]!
  const change = (): string => {
    const value = line[name]
    const digits = '0123456789abcdef'
    if (typeof value === 'number') return JSON.stringify({ ...line, [name]: value + 1 + random(50) })
    if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) {
      const place = random(64)
      const digit = digits[(digits.indexOf(value[place]!) + 1 + random(15)) % 16]
      return JSON.stringify({ ...line, [name]: value.slice(0, place) + digit + value.slice(place + 1) })
    }
    if (typeof value === 'string') return JSON.stringify({ ...line, [name]: `${value}${random(9)}` })
    return JSON.stringify({ ...line, [name]: { ...(value as object), score: random(79) } })
  }
  const edits: (() => string[])[] = [
    () => rows.with(at, change()),
    () => rows.with(at, change()),
    () => rows.with(at, change()),
    () => rows.toSpliced(at, 1),
    () => rows.toSpliced(at, 0, rows[at]!),
    () => rows.toSpliced(at + random(2), 0, change()),
    () => rows.toSpliced(at, 0, JSON.stringify({ ...line, source: `other/${random(9)}.png` })),
    () => rows.with(at, rows[at]!.slice(0, random(rows[at]!.length - 1) + 1)),
    () => rows.toSpliced(at, 0, ['<<<<<<< ours', '=======', '>>>>>>> theirs'][random(3)]!),
    () => rows.with(0, ['{"lock":2}', '', '{}'][random(3)]!),
    () => rows.with(at, JSON.stringify(Object.fromEntries(Object.entries(line).filter(([key]) => key !== name)))),
  ]
  return `${edits[random(edits.length)]!().join('\n')}\n`
}

describe('200 random edits of a lock', () => {
  it('are all mended or named, by the line where one is wrong', async () => {
    const random = numbers(7)
    const counts = { mended: 0, named: 0 }
    for (let round = 0; round < 200; round++) {
      const text = edited(random)
      if (text === right) continue
      const outcome = await outcomeOf(text)
      if (outcome === 'mended') counts.mended++
      else {
        expect(outcome, text).toMatch(/^(?:Line \d+ of )?pixpress\.lock/)
        counts.named++
      }
    }
    expect(counts.mended).toBeGreaterThan(100)
    expect(counts.named).toBeGreaterThan(20)
  })
})
