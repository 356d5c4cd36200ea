import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { decode, detect } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { PixpressError } from '../../src/base/errors.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import type { OptimizeResult } from '../../src/optimizer/result.ts'

/**
 * The expected outcome for a hostile file:
 * - `reject`: a clean error;
 * - `limit`: an error at a limit, or a result within a limited time and memory;
 * - `salvage`: a result from the data that is left, or an error;
 * - `accept`: a result, as for any other file;
 * - `sanitise`: a cleaned file, or the file unchanged.
 */
type Expectation = 'reject' | 'limit' | 'salvage' | 'accept' | 'sanitise'

/** Milliseconds for any of the files: many times the time of the slowest, so that no machine is too slow. */
const TIMEOUT = 600_000

/** Bytes by which the resident memory of the process may grow over all of the files. */
const MEMORY = 900e6

/** Errors that say something about the file; the others would be faults of ours. */
const CLEAN: readonly string[] = [
  'INPUT_MISSING',
  'UNSUPPORTED_TYPE',
  'DECODE_FAILED',
  'INPUT_TOO_LARGE',
  'UNSUPPORTED_OPERATION',
]

/**
 * A gzip file that contains an SVG is not supported, because a server would have to send it with `Content-Encoding`.
 */
const UNSUPPORTED: ReadonlySet<string> = new Set(['svg/plain.svgz'])

/** The repository's own hostile files, and the whole of a collection where `PIXPRESS_CORPUS` names one. */
const FIXTURES = path.join(import.meta.dirname, '../../../../test/fixtures/hostile')
const COLLECTION = path.join(process.env.PIXPRESS_CORPUS ?? '', 'hostile/generated')
const SETS: readonly [folder: string, expectations: string][] = [
  [FIXTURES, path.join(import.meta.dirname, 'hostile-expectations.json')],
  ...(existsSync(path.join(COLLECTION, 'expect.json'))
    ? [[COLLECTION, path.join(COLLECTION, 'expect.json')] as [string, string]]
    : []),
]

const optimizer = createOptimizer({ concurrency: 1, limits: { timeout: TIMEOUT } })
afterAll(() => optimizer.close())

describe.each(SETS)('the hostile files of %s', (folder, list) => {
  const before = process.memoryUsage.rss()
  const parsed = JSON.parse(readFileSync(list, 'utf8')) as Record<string, Expectation | { expect: Expectation }>
  const files = Object.entries(parsed).map(([name, value]) => ({
    name,
    expectation: typeof value === 'string' ? value : value.expect,
  }))

  it.each(files)(
    '$expectation $name',
    async ({ name, expectation }) => {
      const source = readFileSync(path.join(folder, name))
      const outcome = await attempt(source)
      if (outcome instanceof PixpressError) {
        expect(CLEAN).toContain(outcome.code)
        expect(outcome.message).toMatch(/^[A-Z0-9'].*\.$/s)
        if (!UNSUPPORTED.has(name)) expect(expectation).not.toBe('accept')
      } else {
        expect(expectation).not.toBe('reject')
        // A thread frees the source of a successful job at once.
        expect(sharp.counters()).toEqual({ queue: 0, process: 0 })
        expect(outcome.data.length).toBeLessThanOrEqual(source.length)
        if (outcome.kept === 'output' && detect(outcome.data) !== 'svg') await decode(outcome.data)
        if (expectation === 'sanitise') expectHarmless(outcome, source)
      }
    },
    TIMEOUT,
  )

  it('take no more than a bounded share of memory', () => {
    expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY)
  })
})

async function attempt(source: Uint8Array): Promise<OptimizeResult | PixpressError> {
  try {
    return await optimizer.optimize(source)
  } catch (error) {
    if (error instanceof PixpressError) return error
    throw error
  }
}

/**
 * Checks that an SVG is harmless to us. Its active content is the site author's own: it stays as it is, and nothing
 * that it names is read.
 */
function expectHarmless({ data, kept }: OptimizeResult, source: Uint8Array): void {
  if (kept === 'input') expect(Buffer.compare(data, source)).toBe(0)
  expect(Buffer.from(data).toString('latin1')).not.toMatch(/root:x:0:0|SSH-|BEGIN [A-Z ]*PRIVATE KEY/)
}
