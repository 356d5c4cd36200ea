import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE, createProject, photo } from '@pixpress/testkit'
import type { Project, RunResult } from '@pixpress/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let project: Project

const COMMAND = path.join(WORKSPACE, 'packages/cli/dist/bin.js')

/** The command that starts a program so that permissions hold for it: root's override of them is taken away. */
const WITHIN_PERMISSIONS = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override'] : []

beforeAll(async () => {
  project = await createProject('faults', { packages: ['unplugin-pixpress', 'vite'] })
  await project.write('index.html', '<img src="./a.jpg"><img src="./b.jpg"><img src="./c.jpg">')
  for (const [at, name] of ['a', 'b', 'c'].entries())
    await project.write(`${name}.jpg`, await photo(240, 160, at).jpeg(97))
  await project.write(
    'build.mjs',
    `import { build } from 'vite'
     import pixpress from 'unplugin-pixpress/vite'
     await build({ logLevel: 'warn', plugins: [pixpress()] }).catch(({ message }) => {
       console.error(message)
       process.exitCode = 1
     })`,
  )
  await project.write('no-sharp.cjs', refusing('@img/sharp-', 'MODULE_NOT_FOUND'))
  await project.write('no-codec.cjs', refusing('@napi-rs/image-', 'MODULE_NOT_FOUND'))
  await project.write('full-disk.cjs', failing('ENOSPC', 'no space left on device'))
  await project.write('no-permission.cjs', failing('EACCES', 'permission denied'))
  await project.write(
    'node-18.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })",
  )
})
afterAll(() => project.dispose())
beforeEach(async () => {
  for (const folder of ['.cache', 'dist', 'out']) await project.remove(folder)
})

/** A preloaded script with which a package is not there, as in a container that was filled on another system. */
const refusing = (name: string, code: string): string => `
  const Module = require('node:module')
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (request, ...rest) {
    if (request.startsWith('${name}')) throw Object.assign(new Error("Cannot find module '" + request + "'"), { code: '${code}' })
    return resolve.call(this, request, ...rest)
  }`

/** A preloaded script with which the system refuses to write into caches. */
const failing = (code: string, text: string): string => `
  const fs = require('node:fs/promises')
  const write = fs.writeFile
  fs.writeFile = async (file, ...rest) => {
    if (String(file).includes('.cache')) throw Object.assign(new Error('${code}: ${text}, open'), { code: '${code}', path: file })
    return write(file, ...rest)
  }
  require('node:module').syncBuiltinESMExports()`

const fault = (script: string): Record<string, string> => ({ NODE_OPTIONS: `--require ${project.path(script)}` })

const build = (env: Record<string, string> = {}): Promise<RunResult> => project.run('build.mjs', { env })

const compress = (env: Record<string, string> = {}): Promise<RunResult> =>
  project.run(COMMAND, {
    env,
    args: ['compress', 'a.jpg', 'b.jpg', '-o', 'out'],
  })

const FAULTS: readonly (readonly [name: string, script: string, sentence: RegExp])[] = [
  [
    'no sharp binary',
    'no-sharp.cjs',
    /sharp is not installed for this machine \(.*\)\. Run: npm install --os=\w+ --cpu=\w+ sharp/,
  ],
  [
    'no codec',
    'no-codec.cjs',
    /@napi-rs\/image is not installed for this machine \(.*\)\. Run: npm install --os=\w+ --cpu=\w+/,
  ],
  [
    'Node 18',
    'node-18.cjs',
    /This is Node 18\.20\.8, and pixpress needs 20\.19, 22\.12 or newer\. Run: nvm install 22/,
  ],
  ['a full disk', 'full-disk.cjs', /The image cache in '.*' cannot be written\. The disk is full\. Free some space/],
  [
    'no permission',
    'no-permission.cjs',
    /The image cache in '.*' cannot be written\. There is no permission\. Run: chmod -R u\+rwX/,
  ],
]

describe.each(FAULTS)('%s', (_, script, sentence) => {
  it('fails a build with one sentence, and delivers nothing uncompressed', async () => {
    const { code, stdout, stderr } = await build(fault(script))
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(stdout + stderr).not.toMatch(/broken|\\x0a/)
    expect(await project.list('dist')).toEqual([])
  })

  it('ends the command with one sentence and code 1', async () => {
    const { code, stdout, stderr } = await compress(fault(script))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^pixpress: ${sentence.source}.*\\n$`))
  })
})

describe('a cache', () => {
  it('in whose place a file stands fails both, and the sentence has the command that removes it', async () => {
    await project.write('.cache/pixpress', 'a file')
    for (const { code, stderr } of [await build(), await compress()]) {
      expect(code).toBe(1)
      expect(stderr).toContain(`Run: rm -r '${project.path('.cache/pixpress')}'`)
    }
    expect(await project.list('dist')).toEqual([])
  })

  it('with damaged entries is mended, which is said once', async () => {
    await build()
    const right = await sizes()
    const folder = project.path('.cache/pixpress/v1')
    for (const name of await readdir(folder, { recursive: true })) {
      const file = path.join(folder, name)
      const bytes = await readFile(file).catch(() => undefined)
      if (bytes !== undefined) await writeFile(file, bytes.with(100, bytes[100]! ^ 1))
    }
    await project.remove('dist')
    const { code, stderr } = await build()
    expect(code).toBe(0)
    expect(stderr.match(/has damaged entries\. What is needed of them is made again\./g)).toHaveLength(1)
    expect(await sizes()).toEqual(right)
  })

  it.skipIf(process.platform === 'win32')('that is read-only fails both', async () => {
    await mkdir(project.path('.cache/pixpress'), { recursive: true })
    await chmod(project.path('.cache/pixpress'), 0o555)
    for (const args of [['build.mjs'], [COMMAND, 'compress', 'a.jpg', '-o', 'out']]) {
      const [program, ...rest] = [...WITHIN_PERMISSIONS, process.execPath, ...args] as [string, ...string[]]
      const { code, stderr } = await project.exec(program, { args: rest })
      expect(code).toBe(1)
      expect(stderr).toContain('is no permission')
    }
    await chmod(project.path('.cache/pixpress'), 0o755)
    await rm(project.path('.cache'), { recursive: true })
  })
})

/** Bytes of what was delivered, by name. */
async function sizes(): Promise<Record<string, number>> {
  const files = (await project.list('dist')).filter((name) => name.endsWith('.jpg'))
  expect(files).toHaveLength(3)
  return Object.fromEntries(
    await Promise.all(files.map(async (name) => [name, (await project.read(`dist/${name}`)).length])),
  )
}
