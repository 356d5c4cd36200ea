import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { endDaemon, freePort, until } from './daemon.ts'

const run = promisify(execFile)

/** A real S3 server: Ceph's RADOS Gateway on this machine, over one monitor and one store in memory. */
export interface Radosgw {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Takes connections and answers nothing from here on. */
  pause(): void
  /** Answers again, what has come meanwhile too. */
  resume(): void
  stop(): Promise<void>
}

/** Milliseconds that the gateway may take to answer; it usually takes twelve seconds. */
const PATIENCE = 120_000

/**
 * Starts the gateway on free ports with everything in a temporary folder; it forgets everything when it is stopped.
 * Takes Debian's packages radosgw, ceph-mon, ceph-osd and ceph-common.
 */
export async function startRadosgw(): Promise<Radosgw> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-ceph-'))
  const daemons: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    // The gateway first: without its cluster it would wait for it.
    for (const daemon of daemons.toReversed()) await endDaemon(daemon)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const started = await start(folder, daemons)
    const gateway = daemons.at(-1)!
    return {
      ...started,
      pause: () => void gateway.kill('SIGSTOP'),
      resume: () => void gateway.kill('SIGCONT'),
      async stop() {
        // Stopped, it could not end.
        gateway.kill('SIGCONT')
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(folder: string, daemons: ChildProcess[]): Promise<Omit<Radosgw, 'pause' | 'resume' | 'stop'>> {
  for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) await mkdir(path.join(folder, name))
  const [monitor, port] = [await freePort(), await freePort()]
  const id = randomUUID()
  const conf = path.join(folder, 'ceph.conf')
  const keyring = path.join(folder, 'keyring')
  await writeFile(conf, configuration(folder, id, monitor, port))
  const ceph = (program: string, ...args: string[]): Promise<{ stdout: string }> =>
    run(program, ['--conf', conf, ...args], { timeout: PATIENCE })
  const daemon = (program: string, ...args: string[]): void => {
    const log = openSync(path.join(folder, 'log', `${program}.out`), 'a')
    daemons.push(spawn(program, ['--conf', conf, ...args, '-f'], { stdio: ['ignore', log, log] }))
    closeSync(log)
  }

  await run('ceph-authtool', ['--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'])
  for (const [name, ...caps] of [
    ['client.admin', 'mon', 'allow *', 'osd', 'allow *', 'mgr', 'allow *'],
    ['client.rgw', 'mon', 'allow *', 'osd', 'allow *'],
    ['osd.0', 'mon', 'allow profile osd', 'osd', 'allow *'],
  ] as const) {
    const pairs = caps.flatMap((cap, index) => (index % 2 === 0 ? ['--cap', cap, caps[index + 1]!] : []))
    await run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...pairs])
  }
  const map = path.join(folder, 'monmap')
  await run('monmaptool', ['--create', '--addv', 'a', `[v1:127.0.0.1:${monitor}]`, '--fsid', id, map])
  await ceph('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '--keyring', keyring)
  daemon('ceph-mon', '-i', 'a')
  await until('the monitor', () => ceph('ceph', 'osd', 'stat'), PATIENCE)
  // A monitor that has just begun may answer one question and still refuse the next; by its own id a store is made
  // once.
  const store = randomUUID()
  let osd = ''
  await until(
    'the store',
    async () => void (osd = (await ceph('ceph', 'osd', 'create', store)).stdout.trim()),
    PATIENCE,
  )
  await ceph('ceph-osd', '-i', osd, '--mkfs', '--osd-uuid', store)
  // The store would ask for this itself when it starts, and end when a young monitor refuses it ('wrong fsid').
  await until(
    'the map of stores',
    () => ceph('ceph', 'osd', 'crush', 'add', `osd.${osd}`, '1', 'root=default', 'host=local'),
    PATIENCE,
  )
  daemon('ceph-osd', '-i', osd)
  daemon('radosgw', '-n', 'client.rgw')
  const endpoint = `http://127.0.0.1:${port}`
  await until(
    'the gateway',
    async () => {
      if (daemons.some(({ exitCode }) => exitCode !== null)) throw new Error(await lastWords(folder))
      await (await fetch(endpoint)).arrayBuffer()
    },
    PATIENCE,
  )
  const accessKeyId = `TEST${randomBytes(8).toString('hex').toUpperCase()}`
  const secretAccessKey = randomBytes(20).toString('hex')
  const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey]
  await ceph('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys)
  return { endpoint, accessKeyId, secretAccessKey }
}

function configuration(folder: string, id: string, monitor: number, port: number): string {
  return `[global]
fsid = ${id}
mon host = v1:127.0.0.1:${monitor}
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon pg warn min per osd = 0
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
run dir = ${folder}/run
pid file = ${folder}/run/$name.pid
admin socket = ${folder}/run/$name.asok
log file = ${folder}/log/$name.log
crash dir = ${folder}/run
keyring = ${folder}/keyring
[mon]
mon data = ${folder}/mon
mon osd full ratio = 1
mon data avail warn = 1
mon data avail crit = 0
auth allow insecure global id reclaim = true
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
osd class update on start = false
osd crush update on start = false
memstore device bytes = 1073741824
osd class dir = /usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/rados-classes
osd journal = ${folder}/osd/journal
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw enable usage log = false
rgw dynamic resharding = false
`
}

async function lastWords(folder: string): Promise<string> {
  const logs = ['ceph-mon', 'ceph-osd', 'radosgw'].map((name) =>
    readFile(path.join(folder, 'log', `${name}.out`), 'utf8').catch(() => ''),
  )
  return `A daemon ended: ${(await Promise.all(logs)).join('\n').slice(-2000)}`
}
