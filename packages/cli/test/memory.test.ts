import path from 'node:path'
import { fs as memory, vol } from 'memfs'
import { failure } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findInputs } from '../src/compress/inputs.ts'
import { createTargets } from '../src/compress/targets.ts'
import { loadConfig } from '../src/base/config.ts'

vi.mock('node:fs', async () => ({ ...(await import('memfs')).fs, default: (await import('memfs')).fs }))
vi.mock('node:fs/promises', async () => {
  const { promises } = (await import('memfs')).fs
  // Looked up at each call, so that a test can replace it.
  return { ...promises, stat: (file: string) => promises.stat(file), default: promises }
})

beforeEach(() =>
  vol.fromJSON({
    '/site/a.png': '',
    '/site/images/a.jpg': '',
    '/site/images/deep/b.webp': '',
    '/site/images/notes.txt': '',
    '/site/node_modules/c.png': '',
    '/site/pixpress.config.mjs': '',
    '/site/images/pixpress.config.ts': '',
  }),
)
afterEach(() => {
  vi.restoreAllMocks()
  vol.reset()
})

const OPTIONS = { cwd: '/site', include: [], exclude: [], out: undefined }
const found = async (...patterns: string[]): Promise<string[]> =>
  (await findInputs(patterns, OPTIONS)).map(({ file }) => file)

describe('the inputs of the command', () => {
  it('are found by the file system that Node is given, in folders, by globs and by name', async () => {
    expect(await found('.')).toEqual(['/site/a.png', '/site/images/a.jpg', '/site/images/deep/b.webp'])
    expect(await found('images/**/*.webp')).toEqual(['/site/images/deep/b.webp'])
    expect(await found('images/notes.txt')).toEqual(['/site/images/notes.txt'])
  })

  it('that cannot be looked up are refused in one sentence', async () => {
    const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    vi.spyOn(memory.promises, 'stat').mockRejectedValue(refused)
    await expect(findInputs(['a.png'], OPTIONS)).rejects.toThrow(failure('UsageError', "'a.png'"))
  })

  it('lead to targets that do not collide', async () => {
    const inputs = await findInputs(['a.png', 'images/a.jpg'], OPTIONS)
    const targetOf = createTargets(inputs, '/out')
    const targets = inputs.map((input) => targetOf(input, 'image/png', 'image/webp'))
    expect(targets.map((file) => path.relative('/out', file))).toEqual(['a_png.webp', 'a_jpg.webp'])
    expect(vol.existsSync('/out')).toBe(false)
  })
})

describe('the configuration file', () => {
  // Node reads modules from the disk, where these are not: the error tells which one was found.
  it.each([
    ['/site', '/site/pixpress.config.mjs'],
    ['/site/images/deep', '/site/images/pixpress.config.ts'],
    ['/site/node_modules', '/site/pixpress.config.mjs'],
  ])('is the nearest one of %s and above', async (folder, file) => {
    await expect(loadConfig(folder)).rejects.toThrow(failure('UsageError', file))
  })

  it('is none where there is none above', async () => {
    vol.reset()
    vol.fromJSON({ '/site/a.png': '' })
    expect(await loadConfig('/site')).toEqual({ config: {}, file: undefined })
    await expect(loadConfig('/site', 'mine.ts')).rejects.toThrow(failure('UsageError', "'mine.ts'"))
  })
})
