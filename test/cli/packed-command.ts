import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { ended } from '../../packages/cli/test/command-line.ts'
import type { Command } from '../../packages/cli/test/command-line.ts'
import { pack } from '../packed/pack.ts'

const execute = promisify(execFile)

export interface PackedCommand {
  /** The script that `npx pixpress` runs. */
  readonly script: string
  readonly run: Command
  /** The warnings of npm while it was installed. */
  readonly warnings: string
  dispose(): Promise<void>
}

/** Packs the packages and installs the command from the tarballs, into a folder with nothing else in it. */
export async function installPackedCommand(): Promise<PackedCommand> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-cli-'))
  const tarballs = await pack(['core', 'client', 'server', 'cli'])
  const { '@pixpress/server': server, ...dependencies } = Object.fromEntries(
    [...tarballs].map(([name, file]) => [name, `file:${file}`]),
  )
  const manifest = { private: true, dependencies, optionalDependencies: { '@pixpress/server': server } }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  const installed = await execute(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=warn'],
    { cwd: folder },
  )
  const script = path.join(folder, 'node_modules', 'pixpress', 'dist', 'bin.js')
  return {
    script,
    warnings: installed.stderr,
    run: (cwd, args, options) => start(script, cwd, args, options),
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}

const start = (script: string, cwd: string, args: readonly string[], options: Parameters<Command>[2]) =>
  new Promise<Awaited<ReturnType<Command>>>((resolve, reject) => {
    const { stdin, env, signal, onOutput } = options
    const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...plainEnvironment(), ...env } })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => {
      out.push(piece)
      onOutput?.(piece.toString())
    })
    child.stderr.on('data', (piece: Buffer) => {
      err.push(piece)
      onOutput?.(piece.toString())
    })
    signal?.addEventListener('abort', () => child.kill(signal.reason as NodeJS.Signals), { once: true })
    child.once('error', reject)
    child.once('close', (code) => resolve(ended(code ?? -1, out, err)))
    child.stdin.on('error', () => {
      // The command may end without reading what it is given.
    })
    child.stdin.end(stdin)
  })

/** Without what this process's own tools have set. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, PIXPRESS_REPORT: _report, ...rest } = process.env
  return rest
}
