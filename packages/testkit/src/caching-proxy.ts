import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { endDaemon, freePort, until } from './daemon.ts'
import { toolPath } from './tools.ts'

/** A real caching proxy on this machine. */
export interface CachingProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  stop(): Promise<void>
}

/** The programs that can stand for it. */
export type CachingProgram = 'nginx' | 'varnishd'

const PATIENCE = 120_000

/** Addresses of the servers in the configurations of docs/delivery.md, by the last digit of the address. */
const ADDRESS = /10\.0\.0\.1(\d)(:8080)?/g

/**
 * Starts a proxy on a free port of 127.0.0.1 with a configuration as docs/delivery.md shows it: its servers 10.0.0.11
 * and 10.0.0.12 stand for those of this machine. Takes Debian's packages nginx and varnish.
 * @param ports of 127.0.0.1 where the servers are, in their order
 * @throws Error when it is not installed
 */
export async function startCachingProxy(
  program: CachingProgram,
  configuration: string,
  ports: readonly number[],
): Promise<CachingProxy> {
  const command = toolPath(program)
  const folder = await mkdtemp(path.join(os.tmpdir(), `pixpress-${program}-`))
  const port = await freePort()
  const file = path.join(folder, 'configuration')
  const [text, args] = program === 'nginx' ? nginx(configuration, folder, port) : varnish(configuration, folder, port)
  await writeFile(file, atPorts(text, ports))
  const daemon = spawn(command, args(file), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  daemon.stderr.on('data', (piece: Buffer) => (said += piece.toString()))
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    await endDaemon(daemon)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until(program, async () => (await fetch(url)).arrayBuffer(), PATIENCE)
  } catch (error) {
    await stop()
    throw new Error(`${program} did not start: ${said}`, { cause: error })
  }
  return { url, stop }
}

type Prepared = readonly [text: string, args: (file: string) => readonly string[]]

function atPorts(text: string, ports: readonly number[]): string {
  return text
    .replaceAll(
      /"10\.0\.0\.1(\d)"; \.port = "8080"/g,
      (_, digit) => `"127.0.0.1"; .port = "${ports[Number(digit) - 1]}"`,
    )
    .replaceAll(ADDRESS, (_, digit) => `127.0.0.1:${ports[Number(digit) - 1]}`)
}

/** The part of a configuration that belongs into `http { … }`, with everything that it writes in one folder. */
function nginx(configuration: string, folder: string, port: number): Prepared {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const part = configuration
    .replace('/var/cache/nginx/pictures', path.join(folder, 'cache'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  // Workers of root are another user's, who may not write into the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const text = `${user}
daemon off;
pid ${folder}/pid;
error_log ${folder}/errors;
worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  ${places.join('\n  ')}
  ${part}
}
`
  return [text, (file) => ['-c', file, '-e', path.join(folder, 'errors')]]
}

function varnish(configuration: string, folder: string, port: number): Prepared {
  const place = path.join(folder, 'varnish')
  return [
    configuration,
    (file) => ['-F', '-j', 'none', '-f', file, '-a', `127.0.0.1:${port}`, '-s', 'malloc,64m', '-n', place],
  ]
}
