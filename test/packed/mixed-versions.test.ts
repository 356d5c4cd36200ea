import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, naming } from '@pixpress/testkit'
import type { Project, RunResult } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packNewer } from './newer.ts'
import { PUBLISHED, pack } from './pack.ts'
import { startRegistry } from './registry.ts'
import type { Registry } from './registry.ts'

const FOLDERS = Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[]
const NEWER = '9.9.9'

let tarballs: Map<string, string>
let newer: Map<string, string>
let version = ''
let work: Project
const registries: Registry[] = []
const projects: Project[] = []

beforeAll(async () => {
  tarballs = await pack(FOLDERS)
  work = await createProject('newer', { packages: [] })
  newer = await packNewer(tarballs, work.path('tarballs'), NEWER)
  const manifest = path.resolve(import.meta.dirname, '../../packages/core/package.json')
  version = (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
})

afterAll(async () => {
  await Promise.all(registries.map((registry) => registry.close()))
  await Promise.all([work, ...projects].map((project) => project?.dispose()))
})

/** A project outside of the workspace, whose packages of our scope come from a registry with these tarballs. */
async function projectWith(published: Iterable<string>, manifest: object): Promise<Project> {
  const registry = await startRegistry()
  registries.push(registry)
  for (const tarball of published) registry.publish(tarball)
  const project = await createProject('mixed', { packages: [] })
  projects.push(project)
  await project.write('.npmrc', `@pixpress:registry=${registry.url}\n`)
  await project.write('package.json', JSON.stringify({ name: 'site', private: true, type: 'module', ...manifest }))
  return project
}

const npm = (project: Project, ...args: string[]): Promise<RunResult> =>
  project.exec('npm', { args: [...args, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'] })

const file = (from: ReadonlyMap<string, string>, name: string): string => `file:${from.get(name)!}`

/** Versions of a package wherever it is installed in a project. */
async function versionsOf(project: Project, name: string): Promise<Record<string, string>> {
  const manifests = (await project.list('node_modules')).filter((each) => each.endsWith(`${name}/package.json`))
  const found = manifests.map(async (manifest) => {
    const place = path.posix.join('node_modules', manifest)
    return [path.posix.dirname(place), (JSON.parse(await project.readText(place)) as { version: string }).version]
  })
  return Object.fromEntries((await Promise.all(found)) as [string, string][]) as Record<string, string>
}

describe('packages of one version', () => {
  it('depend on each other by this exact version', async () => {
    for (const tarball of tarballs.values()) {
      const { stdout } = await work.exec('tar', { args: ['-xOzf', tarball, 'package/package.json'] })
      const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(stdout) as Record<string, object>
      const ranges = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      const ours = ranges.filter(([name]) => tarballs.has(name))
      expect([tarball, ...ours.filter(([, range]) => range !== version)]).toEqual([tarball])
    }
  })

  it('get a core of their own from npm where a project has another', async () => {
    const project = await projectWith([...tarballs.values(), newer.get('@pixpress/core')!], {
      dependencies: { 'unplugin-pixpress': file(tarballs, 'unplugin-pixpress'), '@pixpress/core': NEWER },
    })
    const install = await npm(project, 'install')
    expect(install.code, install.stderr).toBe(0)
    expect(await versionsOf(project, '@pixpress/core')).toEqual({
      'node_modules/@pixpress/core': NEWER,
      'node_modules/unplugin-pixpress/node_modules/@pixpress/core': version,
    })
    const loaded = await project.run("import pixpress from 'unplugin-pixpress'\npixpress.vite()")
    expect([loaded.code, loaded.stderr]).toEqual([0, ''])
  })

  it('are refused by npm where only another version of the core is to be had', async () => {
    const others = [newer.get('@pixpress/core')!, tarballs.get('@pixpress/client')!]
    const project = await projectWith(others, {
      dependencies: { 'unplugin-pixpress': file(tarballs, 'unplugin-pixpress') },
    })
    const install = await npm(project, 'install')
    expect(install.code).not.toBe(0)
    expect(install.stderr).toMatch(new RegExp(`ETARGET[^]*@pixpress/core@${version.replaceAll('.', '\\.')}`))
  })
})

/** Takes a name out of an entry of the installed core, as a later release may. */
async function removeName(project: Project, entry: string, name: string): Promise<void> {
  const module = project.path('node_modules/@pixpress/core/dist/bundle', entry)
  const text = await readFile(module, 'utf8')
  const list = /export \{([^}]*)\};?\s*$/.exec(text)
  expect(list?.[1]).toMatch(new RegExp(String.raw`\b${name}\b`))
  const left = list![1]!.split(',').filter((each) => !new RegExp(String.raw`\b${name}$`).test(each.trim()))
  await writeFile(module, `${text.slice(0, list!.index)}export {${left.join(',')}};\n`)
}

/** Entries of the plugin that use the core; components for browsers do not. */
const ENTRIES = [
  '',
  ...'vite webpack rollup rolldown rspack rsbuild esbuild bun postcss'.split(' ').map((name) => `/${name}`),
  ...'eleventy next types internal'.split(' ').map((name) => `/${name}`),
]

const sentence = (name: string, own = version, core = NEWER): string =>
  `${name} ${own} is installed with @pixpress/core ${core}, and all packages of pixpress need the same version. ` +
  `Remove '@pixpress/core' from "overrides" or "resolutions" in package.json if it is there, ` +
  `and run: npm install ${name}@${NEWER}`

describe.sequential('packages of two versions that overrides bring together', () => {
  let project: Project
  const others = ['unplugin-pixpress', 'pixpress', '@pixpress/server', '@pixpress/astro', '@pixpress/nuxt']

  beforeAll(async () => {
    const published = [...tarballs.values(), newer.get('@pixpress/core')!]
    const manifest = { dependencies: Object.fromEntries(others.map((name) => [name, file(tarballs, name)])) }
    project = await projectWith(published, { ...manifest, overrides: { '@pixpress/core': NEWER } })
    const install = await npm(project, 'install')
    expect(install.code, install.stderr).toBe(0)
    expect(await versionsOf(project, '@pixpress/core')).toEqual({ 'node_modules/@pixpress/core': NEWER })
    // Without the check, Node would say that the module "does not provide an export named 'openCache'".
    await removeName(project, 'internal.js', 'openCache')
    await removeName(project, 'index.js', 'ANY_TYPE')
  })

  it.each(ENTRIES)('are refused in one sentence by unplugin-pixpress%s', async (entry) => {
    const { code, stdout } = await project.run(
      `await import('unplugin-pixpress${entry}').catch(({ name, code, message, stack }) => console.log(JSON.stringify([name, code, message, stack])))`,
    )
    const message = sentence('unplugin-pixpress')
    expect([code, stdout]).toEqual([
      0,
      `${JSON.stringify(['PixpressError', 'MACHINE_UNFIT', message, `PixpressError: ${message}`])}\n`,
    ])
  })

  it.each(['@pixpress/server', '@pixpress/astro', '@pixpress/astro/engine', '@pixpress/nuxt', '@pixpress/nuxt/engine'])(
    'are refused by %s',
    async (entry) => {
      const { stdout } = await project.run(
        `await import('${entry}').catch(({ code, message }) => console.log(code, message))`,
      )
      // The plugin is the first that astro and nuxt load, and its own check comes first.
      expect(stdout.trim()).toMatch(/^MACHINE_UNFIT .* is installed with @pixpress\/core 9\.9\.9, and all packages/)
    },
  )

  it('are refused by the command without a stack', async () => {
    const { code, stdout, stderr } = await project.exec(project.path('node_modules/.bin/pixpress'), {
      args: ['--version'],
    })
    expect([code, stdout, stderr]).toEqual([1, '', `pixpress: ${sentence('pixpress')}\n`])
  })

  it('are mended by the command that the sentence gives', async () => {
    const manifest = JSON.parse(await project.readText('package.json')) as Record<string, unknown>
    const registry = registries.at(-1)!
    for (const tarball of newer.values()) registry.publish(tarball)
    const dependencies = { 'unplugin-pixpress': file(tarballs, 'unplugin-pixpress') }
    await project.write('package.json', JSON.stringify({ ...manifest, overrides: {}, dependencies }))
    // The name is without a scope, so that npm would ask the public registry for it.
    const install = await npm(project, 'install', newer.get('unplugin-pixpress')!)
    expect(install.code, install.stderr).toBe(0)
    const loaded = await project.run("import pixpress from 'unplugin-pixpress/vite'\npixpress()")
    expect([loaded.code, loaded.stderr]).toEqual([0, ''])
  })

  /** Puts a package in the place of the one that is installed, as an edited lock file does. */
  async function replace(name: string, from: ReadonlyMap<string, string>): Promise<void> {
    const places = Object.keys(await versionsOf(project, name))
    expect(places).toHaveLength(1)
    const args = ['-xzf', from.get(name)!, '-C', project.path(places[0]!), '--strip-components=1']
    expect((await project.exec('tar', { args })).code).toBe(0)
  }

  it('are refused where the client is another one, once an image needs it', async () => {
    await replace('@pixpress/client', tarballs)
    const { stdout } = await project.run(
      `import 'unplugin-pixpress/vite'
const { loadRemoteClient } = await import('./node_modules/unplugin-pixpress/dist/session/encode/remote-client.js')
await loadRemoteClient().catch(({ code, message }) => console.log(code, message))`,
    )
    expect(stdout).toEqual(naming('MACHINE_UNFIT', NEWER, '@pixpress/client', version))
  })

  it('are refused where the core is the older one', async () => {
    await replace('@pixpress/core', tarballs)
    const { stdout } = await project.run(
      "await import('unplugin-pixpress/vite').catch(({ message }) => console.log(message))",
    )
    expect(stdout).toBe(`${sentence('unplugin-pixpress', NEWER, version)}\n`)
  })
})
