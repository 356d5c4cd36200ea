import type { ChildProcess } from 'node:child_process'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Finds a port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Tries until it succeeds.
 * @param patience milliseconds after which the last failure is thrown
 */
export async function until(what: string, attempt: () => Promise<unknown>, patience: number): Promise<void> {
  for (const began = performance.now(); ;) {
    try {
      await attempt()
      return
    } catch (error) {
      if (performance.now() - began > patience)
        throw new Error(`${what} did not start: ${String(error)}`, { cause: error })
      await delay(50)
    }
  }
}

/** Ends a process of ours in order, or after five seconds at once. */
export async function endDaemon(daemon: ChildProcess): Promise<void> {
  if (hasEnded(daemon)) return
  const closed = new Promise<void>((resolve) => {
    daemon.once('close', () => resolve())
  })
  daemon.kill('SIGTERM')
  await Promise.race([closed, delay(5000)])
  if (!hasEnded(daemon)) daemon.kill('SIGKILL')
  await closed
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
