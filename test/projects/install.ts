import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { WORKSPACE, createProject, runProcess } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { COPIED, IMAGES } from './starters.ts'
import type { Starter } from './starters.ts'

/** Packages of ours that starters depend on, or that those depend on, and their folders. */
const PACKAGES = {
  '@pixpress/core': 'core',
  '@pixpress/client': 'client',
  'unplugin-pixpress': 'unplugin',
  '@pixpress/astro': 'astro',
  '@pixpress/nuxt': 'nuxt',
}

/** No framework is to tell its makers of the test. */
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  CI: 'true',
  // `npm run` hands on the workspace's own strictness about versions of Node, which is not the starter's.
  npm_config_engine_strict: undefined,
}

/** Packages of ours by name: absolute paths of tarballs, as they would be published. */
export interface Tarballs {
  readonly folder: string
  readonly files: Readonly<Record<string, string>>
}

export async function packPackages(): Promise<Tarballs> {
  const { packageManager } = await readManifest(WORKSPACE)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-tarballs-'))
  const files: Record<string, string> = {}
  for (const [name, source] of Object.entries(PACKAGES)) {
    const args = ['-y', packageManager!, 'pack', '--pack-destination', folder]
    const { code, stderr } = await runProcess('npx', { args, cwd: path.join(WORKSPACE, 'packages', source) })
    if (code !== 0) throw new Error(`${name} cannot be packed: ${stderr}`)
    const known = new Set(Object.values(files))
    files[name] = (await readdir(folder)).map((file) => path.join(folder, file)).find((file) => !known.has(file))!
  }
  return { folder, files }
}

/** The starter with its images in a folder of its own, nothing installed. */
export async function copyStarter(starter: Starter, tarballs: Tarballs): Promise<Project> {
  const from = path.join(import.meta.dirname, starter.folder)
  const project = await copyProject(`project-${starter.folder}`, from, tarballs, starter)
  for (const [name, source] of Object.entries(sourcesOf(starter))) {
    await project.write(name, await readFile(path.join(WORKSPACE, source)))
  }
  return project
}

/** A project in a folder of its own, which depends on the packed packages, nothing installed. */
export async function copyProject(
  name: string,
  from: string,
  { files }: Tarballs,
  { versions = {}, scripts = {} }: Pick<Starter, 'versions' | 'scripts'> = {},
): Promise<Project> {
  const project = await createProject(name, { from, packages: [] })
  const manifest = await readManifest(from)
  const { packageManager } = await readManifest(WORKSPACE)
  const ours = Object.fromEntries(Object.keys(PACKAGES).map((each) => [each, `file:${files[each]!}`]))
  const own = Object.entries({ ...manifest.dependencies, ...versions })
  const dependencies = Object.fromEntries(own.map(([each, version]) => [each, ours[each] ?? version]))
  // Packages of ours that others need are not in the registry.
  const missing = Object.entries(ours).filter(([each]) => dependencies[each] === undefined)
  const overrides = { ...manifest.pnpm?.overrides, ...Object.fromEntries(missing) }
  await project.write(
    'package.json',
    JSON.stringify({
      ...manifest,
      scripts: { ...manifest.scripts, ...scripts },
      packageManager,
      dependencies,
      pnpm: { overrides },
    }),
  )
  return project
}

/** Every image of a starter by its path in the project, and the file of the repository that it is. */
export function sourcesOf({ assets = 'src/assets', copied = 'public', more = {} }: Starter): Record<string, string> {
  return Object.fromEntries([...inFolder(assets, { ...IMAGES, ...more }), ...inFolder(copied, COPIED)])
}

/** Installs what the starter depends on; gives the reason where that is not possible here. */
export async function install(project: Project): Promise<string | undefined> {
  const { packageManager } = await readManifest(WORKSPACE)
  const args = ['-y', packageManager!, 'install', '--prefer-offline', '--no-frozen-lockfile', '--reporter=append-only']
  const { code, stdout, stderr } = await project.exec('npx', { args, env: QUIET, timeout: INSTALL_LIMIT })
  if (code === 0) return undefined
  if (code === null) return `it is not installed after ${INSTALL_LIMIT / 1000} s`
  return /ERR_PNPM_\w+.*/.exec(stdout + stderr)?.[0] ?? `installing ended with code ${code}`
}

/** Milliseconds. On two cores with an empty store the largest takes 45 s. */
const INSTALL_LIMIT = 240_000

/** Builds as `npm run build` does; gives what was printed. */
export async function build(
  project: Project,
  more: Readonly<Record<string, string>> = {},
): Promise<{ output: string; seconds: number }> {
  const { code, stdout, stderr, ms } = await project.exec('npm', {
    args: ['run', '--silent', 'build'],
    env: { ...QUIET, ...more },
    timeout: 600_000,
  })
  if (code !== 0) throw new Error(`The build ended with code ${code}:\n${(stdout + stderr).slice(-3000)}`)
  return { output: stdout + stderr, seconds: ms / 1000 }
}

interface Manifest {
  readonly packageManager?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  /** Where what a framework asks for no longer works with it. */
  readonly pnpm?: { readonly overrides?: Readonly<Record<string, string>> }
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest
}

function inFolder(folder: string, images: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(images).map(([name, source]) => [`${folder}/${name}`, source])
}
