import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createResolveBeside } from '../../../src/bundlers/vite/resolve-beside.ts'

type Alias = Parameters<typeof createResolveBeside>[0]['resolve']['alias']

describe('a path beside the file that it stands in', () => {
  let folder: string
  let importer: string
  const resolve = (urlPath: string, alias: Alias = [], from: string = importer): string | undefined =>
    createResolveBeside({ resolve: { alias } as Parameters<typeof createResolveBeside>[0]['resolve'] })(urlPath, from)

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-beside-')))
    importer = path.join(folder, 'css', 'style.css')
    await mkdir(path.join(folder, 'css'))
    await writeFile(path.join(folder, 'a.png'), '')
    await writeFile(path.join(folder, 'css', 'b.png'), '')
    if (process.platform !== 'win32') await symlink(path.join(folder, 'a.png'), path.join(folder, 'css', 'link.png'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is the file that is there', () => {
    expect(resolve('./b.png')).toBe(path.join(folder, 'css', 'b.png'))
    expect(resolve('../a.png')).toBe(path.join(folder, 'a.png'))
  })

  it.each(['b.png', '/a.png', '@/a.png', './none.png', './b.png?raw', './b.png#part', './\0b.png'])(
    'is left to Vite: %s',
    (urlPath) => expect(resolve(urlPath)).toBeUndefined(),
  )

  it('is left to Vite where the file that has it is none', () => {
    expect(resolve('./b.png', [], 'virtual:style.css')).toBeUndefined()
  })

  it.each([
    ['a text', [{ find: '..', replacement: '/elsewhere' }]],
    ['an expression', [{ find: /^\.\.\/a/g, replacement: '/elsewhere/a' }]],
  ])('is left to Vite where an alias takes it by %s', (_, alias) => {
    expect(resolve('../a.png', alias)).toBeUndefined()
    expect(resolve('../a.png', alias)).toBeUndefined()
    expect(resolve('./b.png', alias)).toBe(path.join(folder, 'css', 'b.png'))
  })

  it.skipIf(process.platform === 'win32')('is left to Vite where a link leads to it', () => {
    expect(resolve('./link.png')).toBeUndefined()
  })
})
