import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { serverNode } from '@pixpress/testkit'

/** One of several servers behind a balancer: `pixpress serve`, as built, in a process of its own. */
export interface Replica {
  readonly url: string
  /** Uploads that it has answered with 201, by its own log. */
  readonly compressed: number
  /** Reads a metric by name and labels. Only with a flag `--metrics-port`. */
  metric(name: string): Promise<number>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** The exit code; `null` when a signal ended it. */
  readonly exited: Promise<number | null>
}

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

/** Resolves when it listens. */
export function startReplica(
  port: number,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Replica> {
  const hasMetrics = flags.includes('--metrics-port')
  const args = [COMMAND, 'serve', '--port', String(port), ...(hasMetrics ? [] : ['--metrics-port', 'none']), ...flags]
  const child = spawn(serverNode(), args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = `http://127.0.0.1:${port}`
  let compressed = 0
  createInterface(child.stdout).on('line', (line) => {
    const { route, status } = JSON.parse(line) as { route?: string; status?: number }
    if (route === '/shrink' && status === 201) compressed++
  })
  const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve))
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString()
      if (!said.includes(`Serving on ${url}`) || (hasMetrics && !said.includes('Metrics on '))) return
      resolve({
        url,
        get compressed() {
          return compressed
        },
        async metric(name) {
          const text = await (await fetch(/^Metrics on (\S+)$/m.exec(said)![1]!)).text()
          return Number(
            text
              .split('\n')
              .find((line) => line.startsWith(`${name} `))
              ?.slice(name.length + 1),
          )
        },
        kill: (signal) => void child.kill(signal),
        exited,
      })
    })
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${said}`)))
  })
}
