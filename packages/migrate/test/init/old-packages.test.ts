import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { versionInstalled } from '../../src/init/old-packages.ts'

let folder: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'pixpress-versions-')))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await rm(folder, { recursive: true, force: true })
})

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  await writeFile(path.join(folder, file), text)
}

describe('versionInstalled', () => {
  it('finds a package in the folder or above', async () => {
    await write('node_modules/vite/package.json', '{"version":"7.2.0"}')
    expect(await versionInstalled(path.join(folder, 'app'), 'vite')).toBe('7.2.0')
    expect(await versionInstalled(folder, 'webpack')).toBeUndefined()
  })

  it('asks Plug’n’Play, which has no node_modules', async () => {
    vi.stubGlobal('process', Object.create(process, { versions: { value: { ...process.versions, pnp: '3' } } }))
    await write('cache/vite/package.json', '{"version":"7.2.0"}')
    await write(
      'node_modules/pnpapi/index.js',
      `exports.resolveToUnqualified = (name) => {
        if (name !== 'vite') throw new Error('undeclared')
        return ${JSON.stringify(path.join(folder, 'cache/vite'))}
      }`,
    )
    expect(await versionInstalled(folder, 'vite')).toBe('7.2.0')
    expect(await versionInstalled(folder, 'webpack')).toBeUndefined()
  })
})
