import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { graphic, naming, photo } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const PACKAGES = path.resolve(import.meta.dirname, '../../packages')
const CODECS = ['sharp', '@napi-rs/image', 'svgo', '@jsquash/jxl'] as const

let project: string
const inModules = (name: string): string => path.join(project, 'node_modules', name)

/** The folder of a package as another one sees it. */
function folderOf(name: string, from: string): string {
  for (const folder of createRequire(path.join(from, 'package.json')).resolve.paths(name) ?? []) {
    const place = path.join(folder, name)
    try {
      createRequire(import.meta.url)(path.join(place, 'package.json'))
      return place
    } catch {
      continue
    }
  }
  throw new Error(`${name} is not installed`)
}

/** Installs the built packages with copies of the codecs, which a test may change. */
beforeEach(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), 'pixpress-installation-'))
  const core = path.join(PACKAGES, 'core')
  for (const [folder, name] of [
    ['core', '@pixpress/core'],
    ['client', '@pixpress/client'],
    ['cli', 'pixpress'],
    ['unplugin', 'unplugin-pixpress'],
  ] as const) {
    await cp(path.join(PACKAGES, folder, 'dist'), path.join(inModules(name), 'dist'), { recursive: true })
    await cp(path.join(PACKAGES, folder, 'package.json'), path.join(inModules(name), 'package.json'))
    const manifest = JSON.parse(await readFile(path.join(inModules(name), 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const dependency of Object.keys(manifest.dependencies ?? {})) {
      if (dependency.startsWith('@pixpress/') || (CODECS as readonly string[]).includes(dependency)) continue
      await link(dependency, path.join(PACKAGES, folder))
    }
  }
  for (const codec of CODECS) await cp(folderOf(codec, core), inModules(codec), { recursive: true, dereference: true })
  await link('vite', path.join(PACKAGES, '../test'))
  for (const codec of CODECS) {
    const folder = await realpath(folderOf(codec, core))
    for (const part of dependenciesOf(folder)) await link(part, folder, true)
  }
  const names = ['a', 'b', 'c']
  for (const [at, name] of names.entries())
    await writeFile(path.join(project, `${name}.jpg`), await photo(60 + at, 40).jpeg(97))
  await writeFile(path.join(project, 'd.png'), await graphic(60, 40).png())
  await writeFile(path.join(project, 'package.json'), '{"type":"module"}')
})
afterEach(() => rm(project, { recursive: true, force: true }))

function dependenciesOf(folder: string): string[] {
  const manifest = createRequire(import.meta.url)(path.join(folder, 'package.json')) as {
    dependencies?: Record<string, string>
    optionalDependencies?: Record<string, string>
  }
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
}

/** Links a dependency of a package; `mayLack`: one of another machine is not there. */
async function link(name: string, from: string, mayLack = false): Promise<void> {
  try {
    const place = folderOf(name, from)
    await mkdir(path.dirname(inModules(name)), { recursive: true })
    await symlink(await realpath(place), inModules(name))
  } catch (error) {
    if (!mayLack && (error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The installed packages whose names begin so: the native parts of one. */
async function partsOf(beginning: string): Promise<string[]> {
  const { dir, base } = path.parse(inModules(beginning))
  return (await readdir(dir)).filter((name) => name.startsWith(base)).map((name) => path.join(dir, name))
}

async function changeManifest(folder: string, change: object): Promise<void> {
  const file = path.join(folder, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, JSON.stringify({ ...manifest, ...change }))
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: project }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    )
  })
}

const pixpress = (...args: string[]): Promise<Ended> => run([path.join(inModules('pixpress'), 'dist/bin.js'), ...args])

const compress = (): Promise<Ended> => pixpress('compress', 'a.jpg', 'b.jpg', 'c.jpg', 'd.png', '--out', 'out')

const filesIn = (name: string): Promise<string[]> => readdir(path.join(project, name)).catch(() => [])

async function build(): Promise<Ended> {
  const config = `import pixpress from 'unplugin-pixpress/vite'
export default { plugins: [pixpress()], logLevel: 'warn', build: { assetsInlineLimit: 0 } }`
  await writeFile(path.join(project, 'vite.config.js'), config)
  const images = ['a.jpg', 'b.jpg', 'c.jpg', 'd.png'].map((name) => `<img src="./${name}">`)
  await writeFile(path.join(project, 'index.html'), images.join(''))
  return run([path.join(inModules('vite'), 'bin/vite.js'), 'build'])
}

interface Found {
  readonly checks: readonly { readonly name: string; readonly state: string; readonly says: string; mend?: string }[]
}

async function doctor(): Promise<{ readonly code: number; readonly states: Record<string, string>; found: Found }> {
  const { code, stdout, stderr } = await pixpress('doctor', '--json')
  expect(stderr).toBe('')
  const found = JSON.parse(stdout) as Found
  return { code, found, states: Object.fromEntries(found.checks.map(({ name, state }) => [name, state])) }
}

describe('an installation', () => {
  it('that fits makes images', async () => {
    const made = await compress()
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' })
    expect((await filesIn('out')).toSorted()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.png'])
    expect(await doctor()).toMatchObject({ code: 0, states: { libraries: 'ok', codecs: 'ok' } })
  })

  it.each([
    ['sharp', '0.30.7'],
    ['sharp', '0.33.5'],
    ['sharp', '0.34.5'],
    ['sharp', '0.36.0'],
    ['svgo', '3.3.2'],
    ['svgo', '5.0.0'],
    ['@napi-rs/image', '1.9.2'],
    ['@jsquash/jxl', '1.2.0'],
  ])('with %s %s is refused before any image is read', async (name, version) => {
    await changeManifest(inModules(name), { version })
    const facts = naming(`${name} ${version}`, inModules(name), '^', 'npm install', `${name}@^`)
    const { code, stderr } = await compress()
    expect({ code, stderr, out: await filesIn('out') }).toEqual({ code: 1, stderr: facts, out: [] })
    const { code: ended, states, found } = await doctor()
    expect({ ended, libraries: states['libraries'] }).toEqual({ ended: 1, libraries: 'problem' })
    const { says, mend } = found.checks.find((check) => check.name === 'libraries')!
    expect({ says, mend }).toEqual({ says: naming(`${name} ${version}`), mend: naming(`${name}@^`) })
  })

  it('with an alias in place of sharp is judged by its version', async () => {
    await changeManifest(inModules('sharp'), { name: '@fork/sharp', version: '0.33.5' })
    expect(await compress()).toMatchObject({ code: 1, stderr: naming('sharp 0.33.5', inModules('sharp')) })
  })

  it('fails a build of Vite, which ships nothing', async () => {
    await changeManifest(inModules('sharp'), { version: '0.33.5' })
    const { code, stderr } = await build()
    expect({ code, stderr, dist: await filesIn('dist') }).toEqual({ code: 1, stderr: naming('sharp 0.33.5'), dist: [] })
  })

  it('tells a program of the library by a rejection', async () => {
    await changeManifest(inModules('svgo'), { version: '3.3.2' })
    const script = `import { optimize } from '@pixpress/core'
optimize(new Uint8Array(9)).catch((error) => console.log(error.code))`
    await writeFile(path.join(project, 'script.js'), script)
    expect(await run(['script.js'])).toEqual({ code: 0, stdout: 'MACHINE_UNFIT\n', stderr: '' })
  })

  it('with a second copy that does not fit uses the one that does', async () => {
    const own = path.join(inModules('@pixpress/core'), 'node_modules')
    await cp(inModules('sharp'), path.join(own, 'sharp'), { recursive: true })
    await changeManifest(inModules('sharp'), { version: '0.33.5' })
    expect(await compress()).toMatchObject({ code: 0, stderr: '' })
    await changeManifest(path.join(own, 'sharp'), { version: '0.34.5' })
    expect(await compress()).toMatchObject({ code: 1, stderr: naming('0.34.5', path.join(own, 'sharp')) })
  })

  it.each([
    ['sharp', 'sharp'],
    ['sharp', `@img/sharp-${process.platform}-${process.arch}`],
    ['@napi-rs/image', '@napi-rs/image'],
    ['@napi-rs/image', '@napi-rs/image-*'],
    ['svgo', 'svgo'],
    ['@jsquash/jxl', '@jsquash/jxl'],
  ])('names %s where %s is missing', async (name, missing) => {
    const places = missing.endsWith('*') ? await partsOf(missing.slice(0, -1)) : [inModules(missing)]
    expect(places).not.toEqual([])
    for (const place of places) await rm(place, { recursive: true })
    const { code, stderr } = await compress()
    expect({ code, stderr, out: await filesIn('out') }).toEqual({ code: 1, stderr: naming(name), out: [] })
    expect(stderr).not.toMatch(/^\s+at /m)
    const { code: ended, states, found } = await doctor()
    expect({ ended, libraries: states['libraries'] }).toEqual({ ended: 1, libraries: 'problem' })
    expect(found.checks.find((check) => check.name === 'libraries')).toMatchObject({ mend: naming('install', name) })
  })

  it('whose sharp lacks a method fails a build, and calls no image damaged', async () => {
    const entries = (await filesIn('node_modules/sharp/dist')).length > 0 ? 'dist' : 'lib'
    const folder = path.join(inModules('sharp'), entries)
    for (const file of await readdir(folder)) {
      const text = await readFile(path.join(folder, file), 'utf8')
      await writeFile(path.join(folder, file), text.replaceAll(/\bautoOrient\b/g, 'autoOrientated'))
    }
    const { code, stderr } = await build()
    expect({ code, stderr, dist: await filesIn('dist') }).toEqual({
      code: 1,
      stderr: naming('.jpg', 'TypeError'),
      dist: [],
    })
    expect(stderr).not.toContain('damaged')
  })
})

const withoutPixels = async (name: string): Promise<void> => {
  const png = Buffer.from(await graphic(60, 40).png())
  const at = png.indexOf('IDAT') + 4
  await writeFile(path.join(project, name), png.fill(name.codePointAt(0)!, at, at + 40))
}

describe('a build whose images of one format all fail alike', () => {
  it('fails, unlike one with a sound image of the format', async () => {
    for (const name of ['x.png', 'y.png', 'z.png']) await withoutPixels(name)
    const args = ['compress', 'x.png', 'y.png', 'z.png', '--out', 'out']
    expect(await pixpress(...args)).toMatchObject({ code: 1, stderr: naming('3', 'PNG', 'npx pixpress doctor') })
    const { stderr } = await pixpress(...args, 'd.png')
    expect(stderr).not.toContain('npx pixpress doctor')
  })
})
