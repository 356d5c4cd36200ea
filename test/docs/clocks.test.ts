import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')

/** Matches code that reads a clock, or holds a reading: `ms` is how long a process of the testkit ran. */
const CLOCK = /\b(?:performance|Date)\.now\b|\bhrtime\b|\.ms\b|^ms$/

/**
 * The claims of a test that something takes less than some time. On a slow or busy machine they are wrong; counts,
 * orders of events, states and the testkit's `growth` are not. Clocks may give lower bounds, and bounds of something
 * else than time.
 */
function upperBoundsInTime(source: string): string[] {
  const held = new Set<string>()
  // Names to which a clock is assigned, and in turn those that are made from these.
  for (let before = -1; held.size !== before;) {
    before = held.size
    for (const [, name, value] of source.matchAll(/\b(?:const|let)?\s*(\w+)\s*=(?![=>])\s*([^;\n]+)/g))
      if (reads(value!, held)) held.add(name!)
  }
  const found = []
  for (const { index } of source.matchAll(/\bexpect\(/g)) {
    const end = closing(source, index + 'expect'.length)
    const matcher = /^\s*\.toBeLess\w+/.exec(source.slice(end))
    const subject = source.slice(index + 'expect('.length, end - 1)
    if (matcher !== null && reads(subject, held)) found.push(source.slice(index, end) + matcher[0].trim())
  }
  return /\bmonitorEventLoopDelay\b/.test(source) ? [...found, 'monitorEventLoopDelay'] : found
}

/** The least time, in milliseconds, that a test or hook may be given: a hundred times what most of them take. */
const LEAST_PATIENCE = 120_000

/** The time-outs of tests and hooks that are below it. The configuration's own is above. */
const shortTimeouts = (source: string): string[] =>
  [...source.matchAll(/^\s*\}, ([\d_]+)\)$|^\s*(?:it|test|describe)\b.*\{ timeout: ([\d_]+)\b/gm)]
    .filter(([, last, option]) => Number((last ?? option)!.replaceAll('_', '')) < LEAST_PATIENCE)
    .map(([text]) => text.trim())

const reads = (text: string, held: ReadonlySet<string>): boolean =>
  CLOCK.test(text) || (text.match(/(?<!\.)\b\w+\b/g) ?? []).some((name) => held.has(name))

/** The offset after the bracket that closes the one at an offset. */
function closing(source: string, open: number): number {
  let depth = 0
  for (let at = open; at < source.length; at++) {
    if (source[at] === '(') depth++
    if (source[at] === ')' && --depth === 0) return at + 1
  }
  return source.length
}

describe('upperBoundsInTime', () => {
  it.each([
    'const a = performance.now()\nrun()\nexpect(performance.now() - a).toBeLessThan(3000)',
    'const a = Date.now()\nrun()\nconst b = Date.now() - a\nexpect(b).toBeLessThanOrEqual(9)',
    'expect(built.result.process.ms).toBeLessThan(90_000)',
    'const { ms } = await run()\nexpect(ms).toBeLessThan(5000)',
    'let longest = 0\nconst last = performance.now()\nlongest = Math.max(longest, performance.now() - last)\nexpect(longest).toBeLessThan(250)',
    'const delay = monitorEventLoopDelay()',
  ])('finds %j', (source) => expect(upperBoundsInTime(source)).toHaveLength(1))

  it.each([
    'const a = performance.now()\nrun()\nexpect(performance.now() - a).toBeGreaterThan(29)',
    'const a = performance.now()\nconst refilled = (performance.now() - a) / 50\nexpect(allowed).toBeLessThanOrEqual(4 + refilled)',
    'expect(items.length).toBeLessThan(4)',
  ])('lets %j pass', (source) => expect(upperBoundsInTime(source)).toEqual([]))
})

describe('shortTimeouts', () => {
  it('finds what a busy machine cannot keep', () => {
    const tests =
      "it('a', async () => {\n  run()\n}, 30_000)\nit('b', { timeout: 5000 }, run)\nit('c', { timeout: 300_000 }, run)"
    expect(shortTimeouts(tests)).toEqual(['}, 30_000)', "it('b', { timeout: 5000"])
  })
})

const FILES = ['packages', 'test'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => /^(?:test|packages\/[^/]+\/test)\//.test(file) && !file.includes('/node_modules/')),
)

describe('tests', () => {
  it('never judge by how long something takes', () => {
    expect(FILES.length).toBeGreaterThan(300)
    const found = FILES.filter((file) => file !== 'test/docs/clocks.test.ts').flatMap((file) =>
      upperBoundsInTime(readFileSync(path.join(ROOT, file), 'utf8')).map((claim) => `${file}: ${claim}`),
    )
    expect(found).toEqual([])
  })

  it('are given time enough for a busy machine', () => {
    const found = FILES.filter((file) => file !== 'test/docs/clocks.test.ts').flatMap((file) =>
      shortTimeouts(readFileSync(path.join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
  })
})
