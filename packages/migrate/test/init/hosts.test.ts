import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOST_NAMES, HOSTS, linesFor } from '../../src/init/hosts.ts'

const PACKAGES = path.resolve(import.meta.dirname, '../../..')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pixpress-hosts-'))
  await mkdir(path.join(folder, 'node_modules/@pixpress'), { recursive: true })
  for (const [name, source] of [
    ['unplugin-pixpress', 'unplugin'],
    ['@pixpress/astro', 'astro'],
  ] as const)
    await symlink(path.join(PACKAGES, source), path.join(folder, 'node_modules', name), 'junction')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('HOSTS', () => {
  it('have a statement for CommonJS that gives a function', async () => {
    const modules = HOST_NAMES.flatMap((name) => HOSTS[name].module ?? [])
    const lines = modules.map(({ commonjs }) => {
      const local = /^const (?:\{ )?(\w+)/.exec(commonjs)![1]!
      return `{ ${commonjs}\nconsole.log(typeof ${local}, ${JSON.stringify(commonjs)}) }`
    })
    await writeFile(path.join(folder, 'all.cjs'), lines.join('\n'))
    const { stdout } = spawnSync(process.execPath, ['all.cjs'], { cwd: folder, encoding: 'utf8' })
    expect(stdout.trim().split('\n')).toEqual(modules.map(({ commonjs }) => `function ${commonjs}`))
  })

  it('give lines for either kind of script', () => {
    expect(linesFor(HOSTS.webpack, 'commonjs')).toEqual([
      "const pixpress = require('unplugin-pixpress/webpack')",
      'plugins: [pixpress()]',
    ])
    expect(linesFor(HOSTS.webpack, 'esm')[0]).toBe("import pixpress from 'unplugin-pixpress/webpack'")
    expect(linesFor(HOSTS.craco, 'commonjs')).toEqual([
      "const pixpress = require('unplugin-pixpress/webpack')",
      'webpack: { plugins: { add: [pixpress()] } }',
    ])
    expect(linesFor(HOSTS.next, 'commonjs')[0]).toBe("const { withPixpress } = require('unplugin-pixpress/next')")
    expect(linesFor(HOSTS.nuxt, 'commonjs')).toEqual(["modules: ['@pixpress/nuxt']"])
  })
})
