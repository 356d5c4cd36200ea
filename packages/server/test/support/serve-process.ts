import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { serverNode } from '@pixpress/testkit'

export interface ServeProcess {
  readonly url: string
  /** Returns its standard error and standard output so far. */
  readonly output: () => { stderr: string; stdout: string }
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL'): void
  /** The exit code; `null` when a signal ended it. */
  readonly exited: Promise<number | null>
}

const running = new Set<ChildProcess>()

/** To be called after each test: one that has failed leaves its servers running. */
export function killServeProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** `pixpress serve` as a process of its own, from the sources. Resolves when it listens. */
export function startServeProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const entry = fileURLToPath(new URL('./serve-entry.ts', import.meta.url))
  const child = spawn(serverNode(), ['--conditions=dev', entry, '--port', '0', '--metrics-port', 'none', ...args], {
    // The default is for load balancers; flags beat it.
    env: { ...process.env, PIXPRESS_DRAIN_DELAY: '1ms', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stderr: '', stdout: '' }
  running.add(child)
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      running.delete(child)
      resolve(code)
    }),
  )
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      written.stderr += chunk.toString()
      const url = /^Serving on (\S+)$/m.exec(written.stderr)?.[1]
      if (url === undefined) return
      resolve({ url, output: () => ({ ...written }), kill: (signal) => void child.kill(signal), exited })
    })
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${written.stderr}`)))
  })
}
