import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const root = path.resolve(fileURLToPath(import.meta.url), '../..')

/** The project's own pnpm with its version, as npx takes it. */
export const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** Runs one command with the terminal attached; ends the process with the command's own code when it fails. */
export function step(title, command, args, options = {}) {
  const code = attempt(title, command, args, options)
  if (code !== 0) process.exit(code)
}

/** Runs one command with the terminal attached. @returns its exit code; 1 when it could not be started */
export function attempt(title, command, args, options = {}) {
  const started = performance.now()
  console.log(`\n▶ ${title}`)
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  })
  if (error) console.error(`${command}: ${error.message}`)
  if (status !== 0) {
    console.error(`✗ ${title} failed`)
    return status ?? 1
  }
  console.log(`✓ ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  return 0
}

/** The project's own pnpm, through npx: nothing has to be installed before. */
export function pnpm(title, ...args) {
  step(title, 'npx', ['-y', packageManager, ...args])
}

/** Dependencies as the lock file says, and the packages compiled. */
export function prepare() {
  // After `npm start`, pnpm would ask whether it may install the rest.
  const unasked = '--config.confirmModulesPurge=false'
  pnpm('install', 'install', '--frozen-lockfile', unasked, '--reporter=append-only', '--loglevel=error')
  pnpm('build', 'run', '--silent', 'build')
}
