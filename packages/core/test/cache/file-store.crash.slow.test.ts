import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileCache } from '../../src/cache/file-store.ts'
import type { FileCache } from '../../src/cache/file-store.ts'
import { CRASH_KEYS, crashEntry } from './crash-entries.ts'

const KILLS = 15
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

interface Writer {
  readonly child: ChildProcess
  /** The signal that ended it. */
  readonly exited: Promise<string | null>
}

describe('FileCache shared with processes that are killed', () => {
  let folder: string
  let writerScript: string
  const running = new Set<Writer>()

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
    writerScript = await compileWriter(path.join(folder, 'compiled'))
  })

  afterAll(async () => {
    await Promise.all([...running].map(kill))
    await fs.rm(folder, { recursive: true, force: true })
  })

  /** Resolves once the process has set its first entries. */
  async function startWriter(dir: string): Promise<Writer> {
    const child = spawn(process.execPath, [writerScript, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const writer = { child, exited: once(child, 'exit').then(([, signal]) => signal as string | null) }
    running.add(writer)
    await Promise.race([
      once(child.stdout, 'data'),
      writer.exited.then(() => Promise.reject(new Error('The writer ended before it had begun.'))),
    ])
    return writer
  }

  async function kill(writer: Writer): Promise<void> {
    running.delete(writer)
    writer.child.kill('SIGKILL')
    // With any other signal, the writer has failed by itself.
    expect(await writer.exited).toBe('SIGKILL')
  }

  it('returns right entries or misses, whenever a writer dies', async () => {
    const dir = path.join(folder, 'cache')
    const cache = createFileCache({ dir })
    const steady = await startWriter(dir)
    let writing = true

    async function killWriters(): Promise<void> {
      for (let round = 0; round < KILLS; round++) {
        const doomed = await startWriter(dir)
        await delay(Math.random() * 60)
        await kill(doomed)
        expect(await cache.verify()).toEqual({ entries: CRASH_KEYS.length, broken: 0 })
      }
    }

    const [{ hits, misses }] = await Promise.all([
      readWhile(cache, () => writing),
      killWriters().finally(() => {
        writing = false
      }),
    ])
    await kill(steady)
    expect(hits).toBeGreaterThan(100)
    // Every key was set before the first read. Only Windows may refuse to open a file that is being replaced.
    if (process.platform !== 'win32') expect(misses).toBe(0)
  })
})

/** Reads every key over and over, checking what comes back against what a writer can have set. */
async function readWhile(cache: FileCache, goOn: () => boolean): Promise<{ hits: number; misses: number }> {
  let hits = 0
  let misses = 0
  while (goOn()) {
    for (const key of CRASH_KEYS) {
      const entry = await cache.get(key)
      if (entry === undefined) {
        misses++
        continue
      }
      hits++
      const wanted = crashEntry(key, entry.meta['version'] as number)
      expect(entry.meta).toEqual(wanted.meta)
      expect(Buffer.compare(entry.data, wanted.data)).toBe(0)
    }
  }
  return { hits, misses }
}

/**
 * Compiles the writer and the sources that it needs, because another process cannot run TypeScript on Node 20. Returns
 * its path.
 */
async function compileWriter(outDir: string): Promise<string> {
  const typescript = path.dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const compile = [
    path.join(typescript, 'bin', 'tsc'),
    '--ignoreConfig',
    '--noCheck',
    '--rewriteRelativeImportExtensions',
  ]
  const target = ['--target', 'es2023', '--module', 'nodenext', '--rootDir', PACKAGE, '--outDir', outDir]
  const source = path.join(PACKAGE, 'test', 'cache', 'crash-writer.ts')
  await promisify(execFile)(process.execPath, [...compile, ...target, source], { cwd: PACKAGE })
  await fs.writeFile(path.join(outDir, 'package.json'), '{ "type": "module" }')
  return path.join(outDir, 'test', 'cache', 'crash-writer.js')
}
