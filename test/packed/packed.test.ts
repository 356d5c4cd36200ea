import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from './pack.ts'

const workspace = path.resolve(import.meta.dirname, '../..')
const { packageManager } = JSON.parse(await readFile(path.join(workspace, 'package.json'), 'utf8')) as {
  packageManager: string
}

/** Versions of the bundlers as the workspace has them, so that the trial installs what the rest of the suite tests. */
const installed = async (name: string): Promise<string> =>
  (
    JSON.parse(await readFile(path.join(workspace, 'test/node_modules', name, 'package.json'), 'utf8')) as {
      version: string
    }
  ).version

let tarballs: { core: string; client: string; plugin: string }
const projects: Project[] = []

beforeAll(async () => {
  const packed = await pack(['core', 'client', 'unplugin'])
  tarballs = {
    core: packed.get('@pixpress/core')!,
    client: packed.get('@pixpress/client')!,
    plugin: packed.get('unplugin-pixpress')!,
  }
})

afterAll(async () => {
  await Promise.all(projects.map((project) => project.dispose()))
})

/** A project outside the workspace with nothing installed, as somebody starts it. */
async function scratch(name: string, manifest: object, files: Record<string, string>): Promise<Project> {
  const image = await photo(480, 300, 3).jpeg(97)
  const project = await createProject(`packed-${name}`, { packages: [], files: { ...files, 'src/hero.jpg': image } })
  projects.push(project)
  await project.write('package.json', JSON.stringify({ name, private: true, ...manifest }))
  return project
}

async function emitted(project: Project): Promise<{ before: number; after: Buffer }> {
  const files = await project.list('dist')
  const image = files.find((file) => file.endsWith('.jpg'))
  expect(image, files.join(' ')).toBeDefined()
  return { before: (await project.read('src/hero.jpg')).length, after: await project.read(`dist/${image}`) }
}

async function expectSmaller(project: Project): Promise<void> {
  const { before, after } = await emitted(project)
  expect(after.length).toBeLessThan(before)
  expect(await sharp(after).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 300 })
}

const PAGE = '<!doctype html><title>Trial</title><script type="module" src="/src/main.js"></script>'
const SCRIPT = "import hero from './hero.jpg'\ndocument.body.append(Object.assign(new Image(), { src: hero }))\n"

describe.sequential('the packed packages', () => {
  it('work in an npm project with an ESM Vite config', async () => {
    const project = await scratch(
      'npm-vite',
      {
        type: 'module',
        dependencies: {
          '@pixpress/core': `file:${tarballs.core}`,
          '@pixpress/client': `file:${tarballs.client}`,
          'unplugin-pixpress': `file:${tarballs.plugin}`,
          vite: await installed('vite'),
        },
      },
      {
        'vite.config.js': "import pixpress from 'unplugin-pixpress/vite'\nexport default { plugins: [pixpress()] }\n",
        'index.html': PAGE,
        'src/main.js': SCRIPT,
      },
    )
    const install = await project.exec('npm', {
      args: ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    })
    expect(install.code, install.stderr).toBe(0)
    const build = await project.exec('npx', { args: ['vite', 'build'] })
    expect(build.code, build.stderr).toBe(0)
    expect(build.stdout).toMatch(/hero\.jpg/)
    await expectSmaller(project)
  })

  it('work in a pnpm project with a CommonJS webpack config', async () => {
    const project = await scratch(
      'pnpm-webpack',
      {
        dependencies: { 'unplugin-pixpress': `file:${tarballs.plugin}`, webpack: await installed('webpack') },
        pnpm: {
          overrides: { '@pixpress/core': `file:${tarballs.core}`, '@pixpress/client': `file:${tarballs.client}` },
        },
      },
      {
        'webpack.config.js':
          "const pixpress = require('unplugin-pixpress/webpack')\nmodule.exports = { mode: 'production', entry: './src/main.js', plugins: [pixpress()] }\n",
        'build.js':
          "require('webpack')(require('./webpack.config.js'), (error, stats) => {\n  if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exitCode = 1 }\n})\n",
        'src/main.js': SCRIPT,
      },
    )
    const install = await project.exec('npx', { args: ['-y', packageManager, 'install', '--no-frozen-lockfile'] })
    expect(install.code, install.stdout + install.stderr).toBe(0)
    const build = await project.exec(process.execPath, { args: ['build.js'] })
    expect(build.code, build.stderr).toBe(0)
    await expectSmaller(project)
  })

  it('type-check in a strict project', async () => {
    const project = projects[0]!
    await project.write(
      'types.ts',
      `/// <reference types="unplugin-pixpress/client" />
import all from 'unplugin-pixpress'
import pixpress from 'unplugin-pixpress/vite'
import { createOptimizer, PixpressError } from '@pixpress/core'
import srcset from './src/hero.jpg?w=100;200&as=srcset'
import picture from './src/hero.jpg?w=100;200&format=webp;jpg&as=picture'
const text: string = srcset
const width: number = picture.img.w
const optimizer = createOptimizer({ limits: { maxPixels: 1_000_000 } })
export const result: Promise<Uint8Array> = optimizer.optimize(new Uint8Array(), { resize: { method: 'fit', width, height: 2 } }).then(({ data }) => data)
export const plugins = [pixpress({ convert: { type: '*/*' } })]
export const failed = (error: unknown): boolean => error instanceof PixpressError && error.code === 'DECODE_FAILED' && text !== ''
export const others = [all.vite({ quality: 'high' }), all.rollup({ publicPath: '/static/' }), all.webpack(), all.bun()]
// @ts-expect-error an option of Rollup and Rolldown alone
all.webpack({ publicPath: '/static/' })
// @ts-expect-error a bundler that there is no adapter for
all.unloader()
// @ts-expect-error an option that does not exist
pixpress({ qualty: 'high' })
// @ts-expect-error scale takes one dimension
optimizer.optimize(new Uint8Array(), { resize: { method: 'scale', width: 1, height: 2 } })
`,
    )
    await project.write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          module: 'nodenext',
          noEmit: true,
          skipLibCheck: true,
          types: [],
          lib: ['es2023', 'dom'],
        },
        files: ['types.ts'],
      }),
    )
    const check = await project.exec(path.join(workspace, 'node_modules/.bin/tsc'), { args: ['-p', '.'] })
    expect(check.stdout).toBe('')
    expect(check.code).toBe(0)
  })
})
