import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { WORKSPACE, runProcess } from '@pixpress/testkit'
import type { RunResult } from '@pixpress/testkit'

/** The built command. */
export const COMMAND: string = path.join(WORKSPACE, 'packages/cli/dist/bin.js')

type Environment = Readonly<Record<string, string>>

/** Runs the built command to its end. */
export function runCommand(args: readonly string[], cwd: string, env: Environment = {}): Promise<RunResult> {
  return runProcess(process.execPath, { args: [COMMAND, ...args], cwd, env })
}

/** A worker in a process of its own. */
export interface Worker {
  /** Chunks that it has done so far. */
  readonly done: number
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** The exit code; `null` when a signal ended it. */
  readonly exited: Promise<number | null>
}

/** Starts `pixpress work`. */
export function startWorker(args: readonly string[], cwd: string, env: Environment): Worker {
  const child = spawn(process.execPath, [COMMAND, 'work', '--json', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let done = 0
  createInterface(child.stdout).on('line', () => done++)
  return {
    get done() {
      return done
    },
    kill: (signal) => void child.kill(signal),
    exited: new Promise((resolve) => child.once('close', resolve)),
  }
}
