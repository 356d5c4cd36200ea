import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')

/** Milliseconds between two looks at the memory. */
const LOOK_EVERY = 2000

/** Starts `pixpress work`, and looks at its memory from time to time. */
export function startWorker(args, environment) {
  const child = spawn(process.execPath, [COMMAND, 'work', ...args, '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const memory = []
  const timer = setInterval(() => memory.push(residentOf(child.pid)), LOOK_EVERY)
  const ended = new Promise((resolve) => child.once('close', resolve)).finally(() => clearInterval(timer))
  return { child, memory, ended }
}

/** Runs `pixpress batch` to its end. @returns its output as JSON, its processor time and its peak memory */
export async function runBatch(args, environment) {
  const script = path.join(import.meta.dirname, '../teams/command-child.mjs')
  const child = spawn(process.execPath, [script, 'batch', ...args, '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  const [output, usage] = [[], []]
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stdio[3].on('data', (chunk) => usage.push(chunk))
  const started = performance.now()
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`pixpress batch ended with ${code}: ${Buffer.concat(output)}`)
  return {
    wall: performance.now() - started,
    ...JSON.parse(Buffer.concat(usage).toString()),
    status: JSON.parse(Buffer.concat(output).toString()),
  }
}

/** Resident bytes of a process without those that it has started; 0 where it has ended. */
function residentOf(pid) {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
