import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { WORKSPACE, createTestAuthority, freePort, requireTool, serverNode } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'

const bwrap = requireTool('bwrap')
const unit = await readFile(path.join(WORKSPACE, 'examples/server/pixpress.service'), 'utf8')
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

const root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-unit-'))
let ended: (() => void) | undefined
afterAll(async () => {
  ended?.()
  await rm(root, { recursive: true, force: true })
})

/** The state directory, the certificates and the command, in places of this test. */
async function makePlaces(): Promise<{ state: string; settings: string; programs: string; ca: string }> {
  const [state, settings, programs] = ['state', 'etc', 'bin'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [state, settings, programs]) await mkdir(folder)
  const { server, ca } = await createTestAuthority()
  await writeFile(path.join(settings, 'server.pem'), server.cert)
  await writeFile(path.join(settings, 'server.key'), server.key)
  const command = path.join(WORKSPACE, 'packages/cli/dist/bin.js')
  await writeFile(path.join(programs, 'pixpress'), `#!/bin/sh\nexec '${serverNode()}' '${command}' "$@"\n`)
  await chmod(path.join(programs, 'pixpress'), 0o755)
  return { state, settings, programs, ca }
}

function get(url: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    https.get(url, { ca, agent: false }, (answer) => resolve(answer.resume().statusCode)).once('error', reject)
  })
}

describe.skipIf(bwrap === undefined)('ExecStart of examples/server/pixpress.service (needs bwrap)', () => {
  it('serves over TLS, reloads and ends on a disk that can be written in StateDirectory alone', async () => {
    const { state, settings, programs, ca } = await makePlaces()
    const port = await freePort()
    const [start = ''] = valuesOf('ExecStart')
    expect(start).toContain('--host 0.0.0.0 --port 8443')
    const command = start.replace('--host 0.0.0.0 --port 8443', `--host 127.0.0.1 --port ${port}`).split(' ')
    const environment = [...valuesOf('Environment').flatMap((line) => line.split(' ')), 'PIXPRESS_KEYS=secret']
    const folders = ['/usr', '/lib', '/lib64', '/bin'].flatMap((folder) => ['--ro-bind-try', folder, folder])
    const isolation = '--unshare-user --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent'
    const disk = `--proc /proc --dev /dev --tmpfs /tmp --ro-bind ${WORKSPACE} ${WORKSPACE} --ro-bind ${programs} /opt/programs`
    const own = `--ro-bind ${settings} /etc/pixpress --bind ${state} /var/lib/pixpress`
    const variables = ['PATH=/opt/programs:/usr/bin:/bin', ...environment].map((each) =>
      each.split(/=(.*)/s).slice(0, 2),
    )
    const sandbox = [isolation, disk, own].flatMap((flags) => flags.split(' '))
    sandbox.push(
      ...folders,
      '--remount-ro',
      '/',
      '--clearenv',
      ...variables.flatMap((variable) => ['--setenv', ...variable]),
    )
    const child = spawn(bwrap!, [...sandbox, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
    ended = () => child.kill('SIGKILL')
    const exited = new Promise((resolve) => child.once('exit', resolve))
    let said = ''
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()))
    child.stdout.resume()
    void exited.then((code) => (said += `\nended with ${String(code)}`))
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/Serving on |ended with /)
    expect(said).toContain(`Serving on https://127.0.0.1:${port}`)
    expect(await get(`https://127.0.0.1:${port}/readyz`, ca)).toBe(200)
    expect(await readdir(state)).toContain('pixpress.sqlite')

    // Bubblewrap passes no signal on: the server is its child.
    const server = Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
    process.kill(server, 'SIGHUP')
    await expect.poll(() => said).toContain('Reloaded: ')
    process.kill(server, 'SIGTERM')
    expect(await exited).toBe(0)
  }, 120_000)
})
