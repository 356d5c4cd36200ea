import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, requireTool, startRedis } from '@pixpress/testkit'
import type { RedisServer } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand, startWorker } from './command.ts'
import { readRecords } from './records.ts'

const installed = requireTool('redis-server') !== undefined
const IMAGES = 240

describe.skipIf(!installed)('a batch whose workers are killed', () => {
  let redis: RedisServer
  let folder: string
  beforeEach(async () => {
    redis = await startRedis()
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-batch-'))
    await mkdir(path.join(folder, 'in'))
    // All of different pixels, so that no result stands for two of them.
    for (let seed = 1; seed <= IMAGES; seed++) {
      await writeFile(path.join(folder, 'in', `${seed}.jpg`), await photo(24, 16, seed).jpeg(90))
    }
  })
  afterEach(async () => {
    await redis.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('does every image once by its records, and nothing a second time', async () => {
    const env = { PIXPRESS_QUEUE: redis.url }
    const batch = ['batch', '--from', 'in', '--to', 'out', '--convert', 'webp', '--chunk', '10', '--json']
    const running = runCommand(batch, folder, env)
    const workers = [1, 2, 3].map(() =>
      startWorker(['--cache-dir', path.join(folder, 'cache'), '--concurrency', '1'], folder, env),
    )
    const doneBy = (count: number): Promise<void> =>
      expect.poll(() => workers.reduce((sum, { done }) => sum + done, 0)).toBeGreaterThanOrEqual(count)
    await doneBy(3)
    workers[0]!.kill('SIGKILL')
    await doneBy(6)
    await redis.down()
    await redis.up()
    await doneBy(9)
    workers[1]!.kill('SIGKILL')
    const { code, stdout, stderr } = await running
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
      code: 0,
      images: { all: IMAGES, done: IMAGES, failed: 0, changed: 0, gone: 0 },
      failures: [],
      left: [],
    })
    expect(stderr).not.toContain('only-tests')
    const records = await readRecords(path.join(folder, 'out'))
    const keys = records.flatMap(({ images }) => images.map(({ key }) => key))
    expect(keys).toHaveLength(IMAGES)
    expect(new Set(keys).size).toBe(IMAGES)
    expect((await readdir(path.join(folder, 'out'))).filter((name) => name.endsWith('.webp'))).toHaveLength(IMAGES)
    // Images that were under way in a killed worker may be encoded again; whatever had ended comes from the cache.
    expect(records.reduce((sum, { summary }) => sum + summary.encoded, 0)).toBeLessThanOrEqual(IMAGES)

    const done = workers[2]!.done
    const again = await runCommand(batch, folder, env)
    expect(again.code).toBe(0)
    expect(workers[2]!.done).toBe(done)
    expect(await readRecords(path.join(folder, 'out'))).toEqual(records)
    workers[2]!.kill('SIGTERM')
    expect(await workers[2]!.exited).toBe(143)
  })
})
