import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { endDaemon, freePort, until } from './daemon.ts'
import { toolPath } from './tools.ts'

/** A real Redis on this machine. */
export interface RedisServer {
  /** `redis://:<password>@127.0.0.1:<port>` */
  readonly url: string
  /**
   * Sends one command by the inline protocol and returns its answer as it comes over the wire: what a test looks up.
   */
  ask(command: string): Promise<string>
  /** Takes it down, with everything on disk. */
  down(): Promise<void>
  /** Starts it again on the same port and data. */
  up(): Promise<void>
  /** Has it take connections and commands, and answer nothing. */
  freeze(): void
  thaw(): void
  /** Takes it down and removes its data. */
  stop(): Promise<void>
}

const PASSWORD = 'only-tests-use-this'
const PATIENCE = 120_000

/**
 * Starts Redis on a free port of 127.0.0.1 as docs/server.md recommends it: every write in the append-only file,
 * nothing evicted. Takes Debian's package redis-server.
 * @throws Error when it is not installed
 */
export async function startRedis(): Promise<RedisServer> {
  const program = toolPath('redis-server')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-redis-'))
  const port = await freePort()
  let daemon: ChildProcess | undefined
  const down = async (): Promise<void> => {
    if (daemon !== undefined) await endDaemon(daemon)
    daemon = undefined
  }
  const ask = (command: string): Promise<string> => exchange(port, command)
  const up = async (): Promise<void> => {
    daemon = spawn(program, settings(folder, port), { stdio: 'ignore' })
    await until(
      'Redis',
      async () => {
        if ((await ask('PING')) !== '+PONG') throw new Error('It is still reading its data.')
      },
      PATIENCE,
    )
  }
  const signal = (name: NodeJS.Signals): void => void daemon?.kill(name)
  const stop = async (): Promise<void> => {
    await down()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await up()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    ask,
    down,
    up,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop,
  }
}

function settings(folder: string, port: number): string[] {
  const where = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--requirepass', PASSWORD]
  return [...where, '--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction', '--save', '']
}

/** The answer's first line, or the second one where the first is the length of a text. */
function exchange(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    let received = ''
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`Redis ended the connection after: ${received}`)))
    socket.on('data', (piece) => {
      received += piece.toString()
      const [signedIn, ...answer] = received.split('\r\n').slice(0, -1)
      const [first, text] = answer
      if (first === undefined || (/^\$\d/.test(first) && text === undefined)) return
      socket.destroy()
      if (signedIn === '+OK') resolve(text ?? first)
      else reject(new Error(`Redis answered ${signedIn}`))
    })
    socket.write(`AUTH ${PASSWORD}\r\n${command}\r\n`)
  })
}
