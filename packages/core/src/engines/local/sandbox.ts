import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { decoderEnvironment } from './environment.ts'
import { installedFolders } from './installed-folders.ts'

/** A way to run a program of this machine without network, and with a disk that it can only read. */
export interface Sandbox {
  /** The program that shuts it off, with its version. */
  readonly name: string
  /** File of that program. */
  readonly file: string
  /** Its arguments, which the program that it runs follows. */
  readonly args: readonly string[]
}

/** A sandbox that works here, or the reason why there is none: a clause without a full stop. */
export type SandboxFinding = { readonly sandbox: Sandbox } | { readonly sandbox: undefined; readonly reason: string }

/** Folders of a system whose files programs, shared libraries and fonts are. No folder that holds data or settings. */
const SYSTEM_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix/store',
  '/gnu/store',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/var/cache/fontconfig',
]

/** Milliseconds after which a sandbox that has not started is taken for one that does not work. */
const PATIENCE = 30_000

let found: SandboxFinding | undefined

/**
 * Looks for a sandbox on this machine, by running what decodes images in it: user namespaces may be forbidden although
 * the program is installed. Looks once in the life of a process.
 */
export function findSandbox(): SandboxFinding {
  return (found ??= look())
}

function look(): SandboxFinding {
  if (import.meta.url.endsWith('.ts') || process.versions.bun !== undefined)
    return none('images are worked on in the main thread, as the engine does not run from its build on Node')
  if (process.platform !== 'linux') return none(`bubblewrap is for Linux, and this is ${process.platform}`)
  const file = onPath('bwrap')
  if (file === undefined) return none('bubblewrap is not installed')
  const version = /\d[\d.]*/.exec(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? ''
  const sandbox: Sandbox = { name: `bubblewrap ${version}`.trim(), file, args: bubblewrapArguments() }
  const codec = createRequire(import.meta.url).resolve('sharp')
  const trial = spawnSync(file, [...sandbox.args, process.execPath, '-e', 'require(process.argv[1])', codec], {
    encoding: 'utf8',
    env: decoderEnvironment(process.env),
    timeout: PATIENCE,
  })
  if (trial.status === 0) return { sandbox }
  const said = trial.error?.message ?? trial.stderr.split('\n').find((line) => /^bwrap:|Error/.test(line))
  return none(`bubblewrap does not work here (${said?.trim() ?? `code ${trial.status}`})`)
}

const none = (reason: string): SandboxFinding => ({ sandbox: undefined, reason })

/**
 * Makes the arguments of bubblewrap: a room of its own for everything that the kernel tells apart, in which only the
 * system's programs, Node and the engine's code are to be seen, read-only. The settings, keys and outputs of a server
 * and the sockets of other services are not there at all.
 */
function bubblewrapArguments(): string[] {
  const libraries = (process.env.LD_LIBRARY_PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
  const node = realpathSync(process.execPath)
  const nodes = [...new Set([process.execPath, node])]
  // Some builds of Node keep most of it in a shared library.
  const shared = path.join(path.dirname(node), '..', 'lib')
  const places = [...SYSTEM_FOLDERS, ...libraries, ...nodes, shared, ...installedFolders(packageFolder())]
  // Node does without /proc, which many containers do not let anybody mount.
  const room = '--unshare-all --die-with-parent --new-session --cap-drop ALL'
  const ends =
    '--dev /dev --tmpfs /tmp --chdir / --remount-ro /dev --remount-ro / --setenv TMPDIR /tmp --setenv HOME /tmp --'
  const seen = places.flatMap((place) => ['--ro-bind-try', place, place])
  return [...room.split(' '), ...seen, ...ends.split(' ')]
}

/** Returns the folder of this package. */
function packageFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url))
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder)
  return folder
}

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file))
}
