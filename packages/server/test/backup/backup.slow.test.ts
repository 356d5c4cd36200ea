import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { graphic, naming } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { storageCommand } from '../../src/index.ts'
import { openLocalBackend } from '../../src/storage/local/local.ts'
import { sendRequest } from '../support/http.ts'
import { KEY, basic } from '../support/server.ts'
import { killServeProcesses, startServeProcess } from '../support/serve-process.ts'
import type { ServeProcess } from '../support/serve-process.ts'

interface Made {
  readonly outputs: number
  readonly leftOut: number
}

const authorization = basic(KEY)
let root: string
let body: Buffer
let folders = 0

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-backup-'))
  body = await graphic(24, 16).png()
})
afterEach(killServeProcesses)
afterAll(() => rm(root, { recursive: true, force: true }))

const place = (name: string): string => path.join(root, `${name}-${++folders}`)

async function storage(...argv: string[]): Promise<string> {
  const out: string[] = []
  await storageCommand(argv, { cwd: root, env: {}, out: (text) => void out.push(text) })
  return out.join('')
}

const refusal = (...argv: string[]): Promise<string> =>
  storage(...argv).then(
    (text) => `not refused: ${text}`,
    (error: unknown) => (error as Error).message,
  )

const start = (data: string): Promise<ServeProcess> =>
  startServeProcess(['--data', data, '--key', KEY, '--rate', 'none'])

async function upload({ url }: ServeProcess): Promise<{ id: string; size: number; count: number }> {
  const answer = await sendRequest('POST', new URL('/shrink', url), { authorization, body })
  if (answer.status !== 201) throw new Error(`answered ${answer.status}`)
  const { output } = answer.json<{ output: { size: number; url: string } }>()
  return { id: output.url.slice(-32), size: output.size, count: Number(answer.headers['compression-count']) }
}

/** Stops a server as an administrator does. */
async function stop(server: ServeProcess): Promise<void> {
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
}

/** Makes a data folder with some outputs, and a backup of it. */
async function backedUp(outputs: number): Promise<{ data: string; backup: string; ids: string[] }> {
  const [data, backup] = [place('data'), place('backup')]
  const server = await start(data)
  const ids = []
  for (let times = 0; times < outputs; times++) ids.push((await upload(server)).id)
  await stop(server)
  await storage('backup', backup, '--data', data)
  return { data, backup, ids }
}

describe('pixpress storage', () => {
  it('backs up under load a server that is then killed, and every restored record is whole', async () => {
    const [data, backup, restored] = [place('data'), place('backup'), place('restored')]
    const server = await start(data)
    const acknowledged: { id: string; size: number; count: number }[] = []
    const until = async (isOver: () => boolean): Promise<void> => {
      while (!isOver()) acknowledged.push(await upload(server))
    }
    await until(() => acknowledged.length >= 5)
    const before = [...acknowledged]
    const clients = [1, 2, 3, 4].map(() => until(() => false))
    const made = JSON.parse(await storage('backup', backup, '--data', data, '--json')) as Made
    server.kill('SIGKILL')
    await Promise.allSettled(clients)
    expect(made.leftOut).toBe(0)
    expect(made.outputs).toBeGreaterThanOrEqual(before.length)

    expect(await storage('verify', backup)).toEqual(naming(`${made.outputs} outputs`))
    expect(await storage('restore', backup, '--data', restored)).toContain(`restored ${made.outputs} outputs`)
    const again = await start(restored)
    const answers = await Promise.all(
      acknowledged.map(async ({ id, size }) => {
        const answer = await sendRequest('GET', new URL(`/output/${id}`, again.url), { authorization })
        return answer.status === 200 && answer.body.length === size ? 'whole' : answer.status
      }),
    )
    expect(answers.slice(0, before.length)).toEqual(before.map(() => 'whole'))
    expect(answers.filter((answer) => answer !== 'whole' && answer !== 404)).toEqual([])
    expect(answers.filter((answer) => answer === 'whole').length).toBeLessThanOrEqual(made.outputs)
    // An operation works from the upload, which is there as well, and the counts go on from the backup's.
    const json = { resize: { method: 'scale', width: 12 } }
    const resized = await sendRequest('POST', new URL(`/output/${before[0]!.id}`, again.url), { authorization, json })
    expect(resized.status).toBe(200)
    expect(Number(resized.headers['compression-count'])).toBeGreaterThan(before.length)
    expect(
      (await readdir(path.join(restored, 'outputs'), { recursive: true })).filter((name) => name.includes('tmp')),
    ).toEqual([])
    await stop(again)
    // The killed server has left all that it has acknowledged.
    const later = place('later')
    const whole = JSON.parse(await storage('backup', later, '--data', data, '--json')) as Made
    expect(whole.outputs).toBeGreaterThanOrEqual(acknowledged.length)
    expect(await storage('verify', later)).toContain('is whole')
  })

  it.skipIf(process.platform !== 'linux')('makes digests that sha256sum checks (needs Linux)', async () => {
    const { backup, data } = await backedUp(2)
    const { stdout } = await promisify(execFile)('sha256sum', ['--check', 'SHA256SUMS'], { cwd: backup })
    expect(stdout.trim().split('\n')).toHaveLength(5)
    expect(stdout).toContain('pixpress.sqlite: OK')
    expect((await readdir(backup)).sort()).toEqual(['SHA256SUMS', 'backup.json', 'outputs', 'pixpress.sqlite'])
    expect(await refusal('backup', backup, '--data', data)).toContain('or empty folder;')
  })

  it('keeps the hash of the key that the server made for itself', async () => {
    const [data, backup, restored] = [place('data'), place('backup'), place('restored')]
    const server = await startServeProcess(['--data', data])
    await stop(server)
    await storage('backup', backup, '--data', data)
    await mkdir(restored)
    await storage('restore', backup, '--data', restored)
    expect(await readFile(path.join(restored, 'key'), 'utf8')).toBe(await readFile(path.join(data, 'key'), 'utf8'))
  })

  it('leaves out records whose bytes have gone, and says how many', async () => {
    const { data, ids } = await backedUp(2)
    await rm(path.join(data, 'outputs', ids[0]!.slice(0, 2), `${ids[0]}.output`))
    const backup = place('backup')
    expect(await storage('backup', backup, '--data', data)).toEqual(naming('1 output', '1 expired'))
    const restored = place('restored')
    await storage('restore', backup, '--data', restored)
    const backend = await openLocalBackend({ folder: restored, cacheSize: 1e6 })
    expect(await backend.records.find(ids[0]!)).toBeUndefined()
    expect(await backend.records.find(ids[1]!)).toMatchObject({ id: ids[1] })
    await backend.close()
  })

  it('restores over nothing that is there', async () => {
    const { data, backup } = await backedUp(1)
    expect(await refusal('restore', backup, '--data', data)).toContain('empty data folder')
    const other = place('other')
    await mkdir(other)
    await writeFile(path.join(other, 'notes.txt'), 'mine')
    expect(await refusal('restore', backup, '--data', other)).toContain('restore replaces nothing')
    expect(await readdir(other)).toEqual(['notes.txt'])
  })

  it('goes on after a restore that was interrupted before the database came to its place', async () => {
    const { backup, ids } = await backedUp(1)
    const restored = place('restored')
    await mkdir(path.join(restored, 'restore.tmp', 'outputs'), { recursive: true })
    await mkdir(path.join(restored, 'outputs', 'ff'), { recursive: true })
    await storage('restore', backup, '--data', restored)
    expect((await readdir(restored)).sort()).toEqual(['outputs', 'pixpress.sqlite'])
    expect(await readdir(path.join(restored, 'outputs'))).toEqual([ids[0]!.slice(0, 2)])
  })

  it.each<[string, (backup: string, id: string) => Promise<unknown>, RegExp]>([
    [
      'a changed output',
      (at, id) => writeFile(path.join(at, output(id)), 'other'),
      /the digest of outputs\/.* damaged/,
    ],
    ['a missing upload', (at, id) => rm(path.join(at, output(id, 'upload'))), /upload in the backup .*; it is missing/],
    ['a cut database', (at) => truncate(path.join(at, 'pixpress.sqlite'), 4096), /the digest of pixpress\.sqlite/],
    ['no description', (at) => rm(path.join(at, 'backup.json')), /Expected a whole backup in/],
    ['a damaged description', (at) => writeFile(path.join(at, 'backup.json'), '{"layout":'), /it is damaged/],
    ['other digests', (at) => truncate(path.join(at, 'SHA256SUMS'), 0), /the digests that backup\.json speaks of/],
    [
      'a place outside of it',
      (at) => writeFile(path.join(at, 'SHA256SUMS'), `${'0'.repeat(64)}  outputs/ab/../../../../etc/passwd\n`),
      /Expected lines of a backup/,
    ],
  ])('refuses a backup with %s, and leaves nothing behind', async (_what, damage, message) => {
    const { backup, ids } = await backedUp(1)
    const broken = place('broken')
    await cp(backup, broken, { recursive: true })
    await damage(broken, ids[0]!)
    const restored = place('restored')
    await mkdir(restored)
    expect(await refusal('restore', broken, '--data', restored)).toMatch(message)
    expect(await refusal('verify', broken)).toMatch(message)
    expect(await readdir(restored)).toEqual([])
  })

  it('names what is wrong with its own words', async () => {
    expect(await refusal('backup', place('none'), '--data', place('data'))).toContain('pixpress.sqlite')
    expect(await refusal('copy', 'x')).toContain('backup, verify, restore')
    expect(await refusal('backup')).toContain('storage backup FOLDER')
    expect(await refusal('backup', 'x', '--dat', 'y')).toMatch(/--data/)
    expect(await storage('--help')).toMatch(/pixpress storage <action> FOLDER/)
  })
})

const output = (id: string, part = 'output'): string => path.join('outputs', id.slice(0, 2), `${id}.${part}`)
