import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { requireTool } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { findSandbox as findFromSources } from '../../../src/engines/local/sandbox.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import type * as Pool from '../../../src/engines/local/pool.ts'
import type * as Process from '../../../src/engines/local/process.ts'
import type { JobResult } from '../../../src/work/steps/job.ts'
import type * as Found from '../../../src/engines/local/sandbox.ts'
import { hosts } from './hosts.ts'
import { job } from './jobs.ts'

// Processes run compiled code, which alone is worked on in a sandbox.
const dist = (name: string): string => new URL(`../../../dist/engines/local/${name}.js`, import.meta.url).href
const { createProcess, hostOptions, HOST } = (await import(dist('process'))) as typeof Process
const { createPool } = (await import(dist('pool'))) as typeof Pool
const { findSandbox } = (await import(dist('sandbox'))) as typeof Found

requireTool('bwrap')
const found = findSandbox()
const skipped = found.sandbox === undefined ? ` (skipped: ${found.reason})` : ''

const folder = mkdtempSync(path.join(os.tmpdir(), 'pixpress-sandbox-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Code that runs in the decoders' process before it takes jobs, and tries what a compromised decoder would try. */
const INTRUDER = `
  import fs from 'node:fs'
  import net from 'node:net'
  const [port, home, engine] = process.env.LC_TRY.split(' ')
  const attempt = async (what) => { try { await what(); return 'done' } catch (error) { return error.code ?? String(error) } }
  const connect = (to) => () => new Promise((fulfil, fail) => net.connect(to).on('connect', fulfil).on('error', fail))
  const tried = {
    ownMachine: await attempt(connect({ port: Number(port), host: '127.0.0.1' })),
    elsewhere: await attempt(connect({ port: 53, host: '192.0.2.1' })),
    dockerSocket: await attempt(connect({ path: '/run/docker.sock' })),
    writesRoot: await attempt(() => fs.writeFileSync('/intruder', 'x')),
    writesEngine: await attempt(() => fs.writeFileSync(engine + '/intruder', 'x')),
    writesSystem: await attempt(() => fs.writeFileSync('/usr/intruder', 'x')),
    readsHome: await attempt(() => fs.readdirSync(home)),
    readsPasswords: await attempt(() => fs.readFileSync('/etc/shadow')),
    readsProcesses: await attempt(() => fs.readdirSync('/proc/1')),
    writesTemporary: await attempt(() => fs.writeFileSync('/tmp/intruder', 'x')),
    seesTemporary: fs.readdirSync('/tmp'),
  }
  process.send({ id: -1, result: tried })
`

describe('findSandbox', () => {
  it('finds none where the engine runs from its sources, and says so', () => {
    expect(findFromSources()).toEqual({ sandbox: undefined, reason: expect.stringContaining('from its build') })
  })
})

describe.skipIf(found.sandbox === undefined)(`the sandbox of the decoders${skipped}`, () => {
  it('refuses network and writing from inside, and still compresses to the same bytes', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { env, execArgv = [], ...options } = hostOptions(found.sandbox)
    const engine = path.resolve(import.meta.dirname, '../../../dist')
    const child = fork(HOST, ['1'], {
      ...options,
      env: { ...env, LC_TRY: `${port} ${os.homedir()} ${engine}` },
      execArgv: [...execArgv, `--import=data:text/javascript,${encodeURIComponent(INTRUDER)}`],
    })
    const replies = new Map<number, unknown>()
    child.on('message', (message: { id: number; result?: unknown } | 'ready') => {
      if (message !== 'ready') replies.set(message.id, message.result ?? message)
      else child.send({ id: 1, job: job() })
    })
    await expect.poll(() => replies.has(1)).toBe(true)
    child.disconnect()
    server.close()
    expect(replies.get(-1)).toEqual({
      ownMachine: 'ECONNREFUSED',
      elsewhere: 'ENETUNREACH',
      dockerSocket: 'ENOENT',
      writesRoot: 'EROFS',
      writesEngine: 'EROFS',
      writesSystem: 'EROFS',
      readsHome: 'ENOENT',
      readsPasswords: 'ENOENT',
      readsProcesses: 'ENOENT',
      writesTemporary: 'done',
      seesTemporary: ['intruder'],
    })
    expect(existsSync(path.join(os.tmpdir(), 'intruder'))).toBe(false)
    const pool = createPool(1)
    const { data } = await pool.run(job())
    await pool.close()
    expect(Buffer.from((replies.get(1) as JobResult).data).equals(data)).toBe(true)
  })

  it('makes every type that is made outside, byte for byte', async () => {
    const inside = createProcess(1, { sandboxed: true })
    const outside = createPool(1)
    for (const type of ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/jxl'] as const) {
      const task = job({ operations: resolveOperations({ convert: { type }, resize: { method: 'scale', width: 40 } }) })
      const [one, other] = [await inside.run(task), await outside.run(task)]
      expect([type, Buffer.from(one.data).equals(other.data)]).toEqual([type, true])
    }
    await Promise.all([inside.close(), outside.close()])
  })

  it('is around the process that works, and ends with it', async () => {
    const known = hosts()
    const runner = createProcess(1, { sandboxed: true })
    await runner.run(job())
    const [id] = hosts().filter((each) => !known.includes(each))
    expect(readFileSync(`/proc/${id}/cmdline`, 'utf8')).toMatch(/bwrap.*--unshare-all/s)
    await runner.close()
    expect(hosts()).toEqual(known)
  })

  it('is not left when it cannot be started any more: the job fails', async () => {
    const file = found.sandbox!.file
    const runner = createProcess(1, { sandboxed: true })
    Object.assign(found.sandbox!, { file: '/no/such/program' })
    try {
      await expect(runner.run(job())).rejects.toMatchObject({
        code: 'MACHINE_UNFIT',
        file: 'a.jpg',
      })
    } finally {
      Object.assign(found.sandbox!, { file })
    }
    await expect(runner.run(job())).resolves.toMatchObject({ kept: 'output' })
    await runner.close()
  })
})
