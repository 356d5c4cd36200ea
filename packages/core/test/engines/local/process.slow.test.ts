import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import type * as Pool from '../../../src/engines/local/pool.ts'
import type * as Process from '../../../src/engines/local/process.ts'
import { open, photo } from '../../images.ts'
import { hosts } from './hosts.ts'
import { job, source } from './jobs.ts'

// Processes run compiled code: Node 20 cannot load TypeScript, so this takes the build that the packages ship.
const compiled = new URL('../../../dist/engines/local/process.js', import.meta.url)
const { createProcess, hostOptions } = (await import(compiled.href)) as typeof Process
const { createPool } = (await import('../../../dist/engines/local/pool.js' as string)) as typeof Pool

const runner = createProcess(2)
afterAll(() => runner.close())

/**
 * A process is at work after so many ticks of processor time; its start takes a third of them. USER_HZ is 100 on every
 * Linux.
 */
const AT_WORK = 60

function ticksOf(id: number): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}

/** Kills the process that is not among the known ones, once it is at work. */
async function killNext(known: readonly number[]): Promise<number> {
  for (;;) {
    const id = hosts().find((each) => !known.includes(each) && ticksOf(each) >= AT_WORK)
    if (id !== undefined) {
      process.kill(id, 'SIGKILL')
      return id
    }
    await sleep(5)
  }
}

/** Prints whether a thread can call the garbage collector. */
const COLLECTING = `
const { Worker } = require('node:worker_threads')
const thread = new Worker("require('node:worker_threads').parentPort.postMessage(typeof gc)", { eval: true, execArgv: [] })
thread.on('message', (type) => process.stdout.write(type))
`

describe('hostOptions', () => {
  it('lets threads free the memory that WebAssembly leaves', async () => {
    const { execArgv = [] } = hostOptions()
    const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, '-e', COLLECTING])
    expect(stdout).toBe('function')
  })

  it('gives only flags that this version of Node takes', async () => {
    const { execArgv = [] } = hostOptions()
    expect(execArgv).toContain('--single-threaded-gc')
    await expect(promisify(execFile)(process.execPath, [...execArgv, '-e', '0'])).resolves.toMatchObject({ stderr: '' })
  })

  it('lets the environment decide how memory is given back', () => {
    vi.stubEnv('MALLOC_TRIM_THRESHOLD_', '131072')
    const { env } = hostOptions()
    vi.unstubAllEnvs()
    expect(env).toMatchObject({ MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' })
  })

  it('keeps the half-spaces that the environment asks for, and takes small ones otherwise', () => {
    vi.stubEnv('NODE_OPTIONS', '--max-semi-space-size=32')
    const asked = hostOptions()
    vi.stubEnv('NODE_OPTIONS', undefined)
    const usual = hostOptions()
    vi.unstubAllEnvs()
    expect(asked.env).toMatchObject({ NODE_OPTIONS: '--max-semi-space-size=32' })
    expect([asked, usual].map(({ execArgv }) => execArgv?.filter((flag) => flag.includes('semi')))).toEqual([
      [],
      ['--max-semi-space-size=1'],
    ])
  })
})

describe('createProcess', () => {
  it('makes what threads make, of more jobs than it has threads', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => runner.run(job())))
    const pool = createPool(1)
    const { data } = await pool.run(job())
    await pool.close()
    for (const result of results) expect(Buffer.from(result.data).equals(data)).toBe(true)
    expect(data.length).toBeLessThan(source.length)
  })

  it('makes the same AVIF whatever the environment says of the allocator, from which sharp takes its threads', async () => {
    const large = await open(photo(900, 700)).png().toBuffer()
    const avif = job({
      source: large,
      type: 'image/png',
      operations: resolveOperations({ convert: { type: 'image/avif' } }),
    })
    const other = createPool(1)
    const [inProcess, inThread] = await Promise.all([runner.run(avif), other.run(avif)])
    await other.close()
    expect(inProcess.info.type).toBe('image/avif')
    expect(Buffer.from(inProcess.data).equals(inThread.data)).toBe(true)
  })

  it('brings errors back whole', async () => {
    const broken = runner.run(job({ source: source.subarray(0, 500) }))
    await expect(broken).rejects.toMatchObject({
      name: 'PixpressError',
      code: 'DECODE_FAILED',
      status: 400,
      file: 'a.jpg',
    })
  })

  it('ends a job that takes too long, and goes on with the next', async () => {
    const slow = runner.run(job({ limits: { ...DEFAULT_LIMITS, timeout: 1 } }))
    await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' })
    await expect(runner.run(job())).resolves.toMatchObject({ kept: 'output' })
  })

  it.runIf(process.platform === 'linux')(
    'can be used again after it was closed, and leaves no process behind',
    async () => {
      await runner.close()
      const before = hosts()
      await runner.run(job())
      expect(hosts().length).toBe(before.length + 1)
      await runner.close()
      expect(hosts()).toEqual(before)
    },
  )

  it.runIf(process.platform === 'linux')(
    'does jobs again whose process broke, and gives up the second time',
    async () => {
      const large = await open(photo(1600, 1200)).png().toBuffer()
      const known = hosts()
      const slow = job({ source: large, type: 'image/png', operations: resolveOperations({ effort: 'max' }) })
      const other = createProcess(2)
      try {
        const once = other.run({ ...slow, file: 'once.png', operations: resolveOperations({ quality: 70 }) })
        const first = await killNext(known)
        await expect(once).resolves.toMatchObject({ kept: 'output' })
        const failing = expect(other.run({ ...slow, file: 'twice.png' })).rejects.toMatchObject({
          code: 'INTERNAL',
          file: 'twice.png',
        })
        const second = await killNext([...known, first])
        await killNext([...known, first, second])
        await failing
      } finally {
        await other.close()
      }
    },
  )

  it.runIf(process.platform === 'linux')('starts without the secrets of this process', async () => {
    const planted = {
      AWS_SECRET_ACCESS_KEY: 'planted',
      PIXPRESS_S3_SECRET_ACCESS_KEY: 'planted',
      PIXPRESS_KEYS: 'shop=planted',
      GITHUB_TOKEN: 'planted',
      DATABASE_URL: 'postgres://user:planted@127.0.0.1/x',
      npm_config__authToken: 'planted',
      NODE_OPTIONS: '--max-old-space-size=512 --import=data:text/javascript,planted --no-warnings',
      NODE_PATH: '/planted',
      NODE_EXTRA_CA_CERTS: '/planted.pem',
      LD_PRELOAD: '',
      SSH_AUTH_SOCK: '/planted.sock',
    }
    const before = { ...process.env }
    const known = hosts()
    const other = createProcess(1)
    try {
      Object.assign(process.env, planted)
      await other.run(job())
      const [id] = hosts().filter((each) => !known.includes(each))
      const variables = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0')
      expect(variables.filter((each) => each.includes('planted'))).toEqual([])
      const names = variables.map((each) => each.replace(/=.*/s, ''))
      expect(names.filter((name) => name in planted)).toEqual(['NODE_OPTIONS'])
      expect(variables).toContain('NODE_OPTIONS=--max-old-space-size=512')
      expect(variables).toContain(`PATH=${process.env.PATH}`)
    } finally {
      await other.close()
      for (const name of Object.keys(planted)) if (!(name in before)) delete process.env[name]
      Object.assign(process.env, before)
    }
  })

  it('works with threads of its own where no process can be started', async () => {
    const script = `
      import { createProcess } from ${JSON.stringify(compiled.href)}
      process.execPath = '/no/such/program'
      const source = Buffer.from(process.argv[1], 'base64')
      const { resolveOperations } = await import(${JSON.stringify(new URL('../../operations/index.js', compiled).href)})
      const { DEFAULT_LIMITS } = await import(${JSON.stringify(new URL('../../base/limits.js', compiled).href)})
      const runner = createProcess(1)
      const job = { source, type: 'image/jpeg', operations: resolveOperations(), limits: DEFAULT_LIMITS, file: 'a.jpg' }
      const results = await Promise.all([runner.run(job), runner.run(job)])
      console.log(results.map(({ kept }) => kept).join())
      await runner.close()`
    const small = await open(photo(64, 48)).jpeg({ quality: 97 }).toBuffer()
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, small.toString('base64')])
    expect(stdout.trim()).toBe('output,output')
  })
})
