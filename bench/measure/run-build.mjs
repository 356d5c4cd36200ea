import { spawn, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { USAGE_DESCRIPTOR } from './resource-usage.mjs'
import { watchMemory } from './tree-memory.mjs'

const SCRIPTS = {
  vite: fileURLToPath(new URL('../builds/vite.mjs', import.meta.url)),
  webpack: fileURLToPath(new URL('../builds/webpack.mjs', import.meta.url)),
}

/** Milliseconds after which a build is taken to hang. */
const TIMEOUT = 15 * 60_000

/** Removes what a build left: its output, and every cache inside the project. */
export async function removeCaches(folder) {
  await Promise.all(
    ['dist', 'node_modules', '.cache'].map((name) => rm(path.join(folder, name), { recursive: true, force: true })),
  )
}

/**
 * Builds a project with one tool in a process of its own.
 * @param settings options of the tool instead of those that its build script gives it
 * @returns as `runScript`
 * @throws Error with the end of the process's output when the build fails
 */
export async function runBuild({ bundler, tool, settings, folder, nodeArguments = [] }) {
  const given = settings === undefined ? [] : [JSON.stringify(settings)]
  return runScript([...nodeArguments, SCRIPTS[bundler], tool, ...given], { folder, name: `${bundler} with ${tool}` })
}

/**
 * Runs a script in Node that reports its usage, in a folder.
 * @returns `wall` in milliseconds, from the start of the process to its end; `cpu` in milliseconds; peak `memory` in
 * bytes, including processes that it starts
 * @throws Error with the end of the process's output if it fails
 */
export async function runScript(args, { folder, name }) {
  // Files of the previous build may still be on their way to the disk, and the next process that writes would wait for
  // them.
  if (process.platform !== 'win32') spawnSync('sync')
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', NODE_ENV: 'production', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT)
  const memoryOfTree = watchMemory(child.pid)
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const usage = []
  child.stdio[USAGE_DESCRIPTOR].on('data', (chunk) => usage.push(chunk))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => clearTimeout(timer))
  const together = memoryOfTree()
  const wall = performance.now() - started
  if (code !== 0) {
    const end = Buffer.concat(output).toString().trimEnd().split('\n').slice(-30).join('\n')
    throw new Error(`${name} failed (${code ?? 'killed'}):\n${end}`)
  }
  const { cpu, memory } = JSON.parse(Buffer.concat(usage).toString())
  return { wall, cpu, memory: Math.max(memory, together) }
}
