import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { ended } from '../../packages/cli/test/command-line.ts'
import type { Command } from '../../packages/cli/test/command-line.ts'

const execute = promisify(execFile)
const workspace = path.resolve(import.meta.dirname, '../..')

/** What the command needs of the workspace. */
const PACKAGES = ['core', 'client', 'server', 'cli'] as const

export interface PackedCommand {
  /** The script that `npx pixpress` runs. */
  readonly script: string
  readonly run: Command
  dispose(): Promise<void>
}

/** Packs the packages and installs the command from the tarballs, into a folder with nothing else in it. */
export async function installPackedCommand(): Promise<PackedCommand> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-cli-'))
  const { packageManager } = JSON.parse(await readFile(path.join(workspace, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  for (const name of PACKAGES) {
    const cwd = path.join(workspace, 'packages', name)
    await execute('npx', ['-y', packageManager, 'pack', '--pack-destination', folder], { cwd })
  }
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const fileOf = (start: string): string => `file:${tarballs.find((name) => name.startsWith(start))}`
  const manifest = {
    private: true,
    dependencies: {
      pixpress: fileOf('pixpress-0'),
      '@pixpress/core': fileOf('pixpress-core'),
      '@pixpress/client': fileOf('pixpress-client'),
    },
    // As in the command's own manifest: left out on a Node that is too old for it.
    optionalDependencies: { '@pixpress/server': fileOf('pixpress-server') },
  }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  const script = path.join(folder, 'node_modules', 'pixpress', 'dist', 'bin.js')
  return {
    script,
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
