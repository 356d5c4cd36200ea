import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { WORKSPACE, freePort, photo, serverNode } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from './pack.ts'

const run = promisify(execFile)
const KEY = 'a-key-of-the-container'

/** The instructions of the Dockerfile, with continued lines joined. */
const instructions = (await readFile(path.join(WORKSPACE, 'examples/server/Dockerfile'), 'utf8'))
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line)!.slice(1) as [string, string])

const valuesOf = (name: string): string[] => instructions.filter(([each]) => each === name).map(([, value]) => value)

/** A folder in the place of the image's disk, and its commands in the place of Docker. */
let root = ''
let env: Record<string, string>
let server: ChildProcess
let port = 0

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-container-'))
  const tarballs = await pack(['core', 'client', 'server', 'cli'])
  await mkdir(path.join(root, 'bin'))
  await symlink(serverNode(), path.join(root, 'bin/node'))
  env = { HOME: root, PATH: `${root}/bin:${process.env.PATH}` }
  const [command = ''] = valuesOf('RUN')
  // The packages come from the workspace and not from the registry, and everything stays below the folder.
  const installed = command
    .replace(/npm install --global (.*?)(?=\s+&&)/, () => {
      return `npm install --global --prefix '${root}' --prefer-offline --no-audit --no-fund ${[...tarballs.values()].join(' ')}`
    })
    .replace('--owner=node --group=node', '')
    .replaceAll('/var/lib/pixpress', `${root}/var/lib/pixpress`)
  await run('sh', ['-ec', installed], { env: { ...process.env, ...env } })
}, 300_000)
afterAll(async () => {
  server?.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

describe('the commands of examples/server/Dockerfile', () => {
  it('install the command and the server, and make a data folder for its user alone', async () => {
    expect(valuesOf('RUN')[0]).toContain('npm install --global pixpress @pixpress/server')
    expect(await readdir(path.join(root, 'bin'))).toContain('pixpress')
    expect((await stat(path.join(root, 'var/lib/pixpress'))).mode & 0o777).toBe(0o700)
    expect(valuesOf('USER')).toEqual(['node'])
    expect(valuesOf('VOLUME')).toEqual(['/var/lib/pixpress'])
    expect(valuesOf('EXPOSE')).toEqual(['8080 9464'])
  })

  it('refuse OpenTelemetry by the names of its packages, which are not there', async () => {
    const settings = { ...env, PIXPRESS_OTEL: 'otlp', PIXPRESS_DATA: path.join(root, 'var/lib/pixpress') }
    const refused = run(path.join(root, 'bin/pixpress'), ['serve', '--port', '0'], { env: settings })
    const stderr = expect.stringContaining('npm install @opentelemetry/sdk-node @opentelemetry/api')
    await expect(refused).rejects.toMatchObject({ code: 1, stderr })
  })

  it('start a server that its health check finds, that compresses, and that ends by SIGTERM', async () => {
    const [program, ...args] = JSON.parse(valuesOf('CMD')[0]!) as [string, ...string[]]
    port = await freePort()
    const ofImage = Object.fromEntries(
      [
        ...valuesOf('ENV')
          .join(' ')
          .matchAll(/(\w+)=(\S+)/g),
      ].map(([, name, value]) => [name!, value!]),
    )
    const own = {
      ...ofImage,
      PIXPRESS_PORT: String(port),
      PIXPRESS_METRICS_PORT: String(await freePort()),
      PIXPRESS_DATA: path.join(root, 'var/lib/pixpress'),
      PIXPRESS_KEYS: KEY,
      PIXPRESS_PUBLIC_URL: 'https://images.example.com',
      PIXPRESS_DRAIN_DELAY: '1ms',
    }
    expect(Object.keys(ofImage)).toEqual(expect.arrayContaining(['PIXPRESS_HOST', 'PIXPRESS_PORT', 'PIXPRESS_DATA']))
    server = spawn(path.join(root, 'bin', program), args, {
      env: { ...env, ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    server.stderr!.on('data', (piece: Buffer) => (said += piece.toString()))
    server.stdout!.resume()
    await expect.poll(() => said, { timeout: 60_000 }).toContain('Serving on ')

    const [check, ...words] = JSON.parse(valuesOf('HEALTHCHECK')[0]!.replace(/^CMD /, '')) as [string, ...string[]]
    const healthCheck = (at: number): Promise<unknown> =>
      run(
        check,
        words.map((word) => word.replace(':8080/', `:${at}/`)),
        { env },
      )
    await healthCheck(port)
    await expect(healthCheck(await freePort())).rejects.toMatchObject({ code: 1 })

    const authorization = `Basic ${Buffer.from(`api:${KEY}`).toString('base64')}`
    const body = new Uint8Array(await photo(64, 48).jpeg(97))
    const answer = await fetch(`http://127.0.0.1:${port}/shrink`, { method: 'POST', headers: { authorization }, body })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/images\.example\.com\/output\/[\da-f]{32}$/)

    const ended = new Promise((resolve) => server.once('exit', (code) => resolve(code)))
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  }, 120_000)
})
