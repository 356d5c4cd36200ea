import { accessSync, constants, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** The repository. */
export const WORKSPACE: string = path.resolve(import.meta.dirname, '../../..')

/** Where the packages are installed that tests build with. */
export const TEST_MODULES: string = path.join(WORKSPACE, 'test', 'node_modules')

/** Programs that tests need and that npm does not bring in a runnable form. */
export type Tool = 'bun' | 'chromium' | Language | ImageProgram | ServiceProgram | SandboxProgram

/** Programs and languages that clients of ours are written with. */
export type Language = 'ruby' | 'python3' | 'curl'

/** Programs that serve what ours is a client of. */
export type ServiceProgram = 'radosgw' | 'ceph-osd' | 'redis-server' | 'haproxy' | 'nginx' | 'varnishd' | SlurmProgram

/** Programs of Slurm. */
export type SlurmProgram = 'slurmctld' | 'slurmd' | 'munged' | 'sbatch' | 'sinfo'

/** Programs that shut processes off from the machine, give them a terminal, or check how a service is. */
export type SandboxProgram = 'bwrap' | 'script' | 'systemd-analyze'

/** Programs of other authors that read, write or check images: what ours writes is held against them. */
export type ImageProgram = (typeof IMAGE_PROGRAMS)[number]

const IMAGE_PROGRAMS = [
  'cjpeg',
  'djpeg',
  'jpegtran',
  'pngcheck',
  'pngquant',
  'optipng',
  'oxipng',
  'cwebp',
  'dwebp',
  'webpinfo',
  'avifenc',
  'avifdec',
  'cjxl',
  'djxl',
  'exiftool',
] as const

/** Programs without which another one is of no use to the tests: a gateway needs the cluster that it stores in. */
const COMPANIONS: Readonly<Partial<Record<Tool, readonly string[]>>> = {
  radosgw: ['radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'ceph-authtool', 'monmaptool'],
  slurmctld: ['slurmd', 'munged', 'sbatch'],
}

const FINDERS: Readonly<Partial<Record<Tool, () => string | undefined>>> = { bun: findBun, chromium: findChromium }

const DEBIAN_PACKAGES = 'run scripts/install-test-packages.sh'

const HOW_TO_INSTALL: Readonly<Partial<Record<Tool, string>>> = {
  bun: 'run `pnpm install`, it is a dependency of test/package.json',
  oxipng: 'Debian has it from version 13 on; `cargo install oxipng` builds it',
}

/**
 * Returns the Bun binary: that of the `bun` package, whose own launcher only works after an install script, or one on
 * the PATH.
 */
export function findBun(): string | undefined {
  const executable = process.platform === 'win32' ? 'bun.exe' : 'bun'
  const wanted = `bun-${process.platform === 'win32' ? 'windows' : process.platform}-`
  return firstExecutable([
    ...platformPackages(wanted).map((folder) => path.join(folder, 'bin', executable)),
    ...onPath(executable),
  ])
}

/**
 * Returns the packages beside `bun` that hold its binary; the plain build before those for special processors or
 * libraries.
 */
function platformPackages(prefix: string): string[] {
  const architecture = process.arch === 'arm64' ? 'aarch64' : process.arch
  try {
    const scope = path.join(realpathSync(path.join(TEST_MODULES, 'bun')), '..', '@oven')
    return readdirSync(scope)
      .filter((name) => name.startsWith(prefix + architecture))
      .sort((a, b) => a.length - b.length)
      .map((name) => path.join(scope, name))
  } catch {
    // The package is not installed: the PATH is what is left.
    return []
  }
}

/** Finds Chromium as Debian and others install it, or Chrome; `PIXPRESS_CHROMIUM` names another one. */
export function findChromium(): string | undefined {
  const named = process.env.PIXPRESS_CHROMIUM
  const usual = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].flatMap(onPath)
  return firstExecutable([
    ...(named === undefined ? [] : [named]),
    ...usual,
    '/usr/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ])
}

/** Returns the path of a program. `undefined` where it, or one that it cannot do without, is not installed. */
export function findTool(tool: Tool): string | undefined {
  const companions = COMPANIONS[tool] ?? []
  if (companions.some((name) => findExecutable(name) === undefined)) return undefined
  const find = FINDERS[tool]
  return find === undefined ? findExecutable(tool) : find()
}

/** Debian has servers in a folder that is on the PATH of root alone. */
function findExecutable(name: string): string | undefined {
  return firstExecutable([...onPath(process.platform === 'win32' ? `${name}.exe` : name), `/usr/sbin/${name}`])
}

/** Returns one sentence that names a missing program and how to get it. */
export function missingTool(tool: Tool): string {
  return `The tests need ${tool}, which is not installed: ${HOW_TO_INSTALL[tool] ?? DEBIAN_PACKAGES}.`
}

/** Returns the path of a program. @throws Error when it is not installed */
export function toolPath(tool: Tool): string {
  const found = findTool(tool)
  if (found === undefined) throw new Error(missingTool(tool))
  return found
}

/**
 * Returns the path of a program, or `undefined` so that the caller can skip its tests.
 * @throws Error where `CI` is set: nothing is skipped there
 */
export function requireTool(tool: Tool): string | undefined {
  const found = findTool(tool)
  if (found === undefined && isContinuousIntegration()) throw new Error(missingTool(tool))
  return found
}

function isContinuousIntegration(): boolean {
  return !['', '0', 'false', undefined].includes(process.env.CI)
}

function onPath(executable: string): string[] {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, executable))
}

function firstExecutable(candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      // The program is not there, or this user may not run it.
      return false
    }
  })
}
