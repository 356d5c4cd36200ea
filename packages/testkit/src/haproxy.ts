import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { endDaemon, freePort, until } from './daemon.ts'
import { toolPath } from './tools.ts'

/** A real load balancer on this machine. */
export interface Haproxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  stop(): Promise<void>
}

const PATIENCE = 120_000

/**
 * Starts haproxy on a free port of 127.0.0.1, set up as docs/server.md recommends it, with checks
 * that come more often. Takes Debian's package haproxy.
 * @param ports of 127.0.0.1 where the servers are, which may come and go
 * @throws Error when it is not installed
 */
export async function startHaproxy(ports: readonly number[]): Promise<Haproxy> {
  const program = toolPath('haproxy')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-haproxy-'))
  const port = await freePort()
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(port, ports))
  const daemon = spawn(program, ['-db', '-f', file], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    await endDaemon(daemon)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until('haproxy', async () => (await fetch(url)).arrayBuffer(), PATIENCE)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map((each) => `  server s${each} 127.0.0.1:${each} check inter 300ms fall 2 rise 1`)
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  option redispatch
  retries 2
  retry-on conn-failure
frontend public
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance leastconn
  option httpchk GET /readyz
  http-check expect status 200
${servers.join('\n')}
`
}
