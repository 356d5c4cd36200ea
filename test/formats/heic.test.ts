import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, decode, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')
const COMMAND = path.join(ROOT, 'packages/cli/dist/bin.js')
const PHOTO = path.join(ROOT, 'packages/core/test/fixtures/inputs/plain.heic')

/** Makes Node find one package less, in every process of the command: it has the name of Yarn's finder of packages. */
const HIDES = `
  const Module = require('node:module')
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (request, ...rest) {
    if (/^heic-decode(?:\\/|$)/.test(request)) throw Object.assign(new Error('hidden'), { code: 'MODULE_NOT_FOUND' })
    return resolve.call(this, request, ...rest)
  }`

const REMEDY = 'npm install --save-dev heic-decode'

describe('a HEIC', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('heic', { files: { 'photo.heic': await readFile(PHOTO), '.pnp.cjs': HIDES } })
  })
  afterAll(() => project?.dispose())

  const compress = (flags: readonly string[], env: Record<string, string> = {}) =>
    project.exec(process.execPath, { args: [COMMAND, 'compress', 'photo.heic', '--cache-dir', 'cache', ...flags], env })

  it('stays as it is where the package that reads it is not installed, and the command to install it is said', async () => {
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(project.path('.pnp.cjs'))}` }
    const kept = await compress(['--out', 'kept'], env)
    expect(kept.code, kept.stderr).toBe(0)
    expect(kept.stdout + kept.stderr).toEqual(naming('HEIC', REMEDY))
    const asked = await compress(['--out', 'asked', '--convert', 'webp'], env)
    expect(asked.code).not.toBe(0)
    expect(asked.stdout + asked.stderr).toEqual(naming('HEIC', "'heic-decode'", REMEDY))
  })

  it('is converted once it is installed, as results have its version in their keys', async () => {
    const { code, stderr } = await compress(['--out', 'made', '--convert', 'webp'])
    expect(code, stderr).toBe(0)
    expect(await decode(await project.read('made/photo.webp'))).toMatchObject({ width: 96, height: 64 })
  })
})
