import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createOptimizer, detectType } from '@pixpress/core'
import type { Report } from '@pixpress/core/report'
import { freePort, photo, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startReplica } from './replica.ts'
import type { Replica } from './replica.ts'

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')
const KEY = 'a-key-of-both-servers'
const IMAGES = 24

let folder: string
let servers: Replica[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-endpoints-'))
  servers = []
  for (const name of ['a', 'b']) {
    const flags = ['--key', KEY, '--data', path.join(folder, name), '--rate', 'none', '--concurrency', '1']
    servers.push(await startReplica(await freePort(), flags, {}))
  }
})
afterEach(async () => {
  for (const server of servers) {
    server.kill('SIGKILL')
    await server.exited
  }
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  readonly code: number
  readonly report: Report
  readonly stderr: string
}

function compress(): Promise<Run> {
  const endpoints = servers.map(({ url }) => url).join(',')
  const args = ['compress', 'images', '--out', 'dist', '--engine', endpoints, '--json', '--no-cache']
  return new Promise((resolve) => {
    const env = { ...process.env, PIXPRESS_KEY: KEY }
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), report: JSON.parse(stdout) as Report, stderr }),
    )
  })
}

async function writeImages(): Promise<void> {
  await writeFile(path.join(folder, 'package.json'), '{}')
  await Promise.all(
    Array.from({ length: IMAGES }, async (_, seed) => {
      const file = path.join(folder, 'images', `${seed}.jpg`)
      await writeFile(file, await photo(320, 240, seed + 1).jpeg(95))
    }),
  )
}

describe('compress with several endpoints', () => {
  beforeEach(async () => {
    await mkdir(path.join(folder, 'images'))
    await writeImages()
  })

  it('spreads images over real servers, which together have done each once', async () => {
    const { code, report, stderr } = await compress()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(report.remote).toMatchObject({ images: IMAGES, compressions: IMAGES, fallbacks: { local: 0, original: 0 } })
    const [a, b] = report.remote!.endpoints!
    expect([a!.images, b!.images]).toEqual(servers.map(({ compressed }) => compressed))
    expect(a!.images).toBeGreaterThan(0)
    expect(b!.images).toBeGreaterThan(0)
  })

  it('makes all images where one of the servers is killed in the middle', async () => {
    const [a, b] = servers as [Replica, Replica]
    const running = compress()
    await expect.poll(() => b.compressed).toBeGreaterThan(1)
    b.kill('SIGKILL')
    const { code, report, stderr } = await running
    expect(code).toBe(0)
    expect(stderr).toEqual(naming(b.url, '3 times'))
    expect(report.totals).toMatchObject({ images: IMAGES, failed: 0 })
    const { images, compressions, unanswered, fallbacks, endpoints } = report.remote!
    expect({ images, fallbacks }).toEqual({ images: IMAGES, fallbacks: { local: 0, original: 0 } })
    expect(endpoints!.map((each) => each.images).reduce((sum, each) => sum + each)).toBe(IMAGES)
    expect(endpoints!.map(({ reason }) => reason)).toEqual([null, expect.stringContaining('3 times')])
    // An answer counts where it came from. Uploads to b that were not downloaded are made once more by a.
    expect(endpoints!.map((each) => each.compressions)).toEqual([a.compressed, compressions - a.compressed])
    expect(compressions - a.compressed).toBeGreaterThanOrEqual(endpoints![1]!.images)
    expect(b.compressed).toBeLessThanOrEqual(compressions - a.compressed + unanswered)
    const dist = path.join(folder, 'dist')
    const names = await readdir(dist)
    expect(names).toHaveLength(IMAGES)
    const optimizer = createOptimizer({ cache: false })
    for (const name of names) {
      const made = await readFile(path.join(dist, name))
      expect(detectType(made)).toBe('image/jpeg')
      expect(await optimizer.probe(made)).toMatchObject({ width: 320, height: 240 })
    }
    await optimizer.close()
  })
})
