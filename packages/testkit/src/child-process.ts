import { spawn } from 'node:child_process'

/** Options of a process. */
export interface RunOptions {
  readonly args?: readonly string[]
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Milliseconds until the process is killed. Default 240,000. */
  readonly timeout?: number
  /** Ends the process at once, as the timeout does. */
  readonly signal?: AbortSignal
}

/** The output of a process that has ended. */
export interface RunResult {
  /** Exit code; `null` when the process was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Wall time in milliseconds. */
  readonly ms: number
}

/**
 * Runs a program to its end. A process that is too slow is killed (SIGKILL) by its own id, so nothing outlives a test.
 * @throws Error when the program cannot be started
 */
export function runProcess(
  command: string,
  { args = [], env = {}, timeout = 240_000, signal, cwd }: RunOptions & { readonly cwd: string },
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command, args, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
    const kill = (): void => void child.kill('SIGKILL')
    const timer = setTimeout(kill, timeout)
    if (signal?.aborted === true) kill()
    signal?.addEventListener('abort', kill, { once: true })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    const settle = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', (code) => {
      settle()
      resolve({
        code,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
        ms: performance.now() - started,
      })
    })
  })
}

/** This process's environment without what vitest adds: a bundler would take `NODE_ENV=test` for the user's wish. */
function environment(added: RunOptions['env']): NodeJS.ProcessEnv {
  const { NODE_ENV: _, VITEST: __, FORCE_COLOR: ___, ...inherited } = process.env
  return { ...inherited, NO_COLOR: '1', ...added }
}
