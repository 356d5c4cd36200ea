import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUseInFile } from '../../src/references/use-in-file.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-use-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('createUseInFile', () => {
  const useIn = createUseInFile((file) => readFile(file))

  it.each([
    ['page.html', '<link rel="icon" href="a.png"><img src="b.png">', 'a.png', 'icon'],
    ['page.html', '<link rel="icon" href="a.png"><img src="b.png">', 'b.png', 'content'],
    ['page.html', '<img src="a.png"><link rel="icon" href="a.png">', 'a.png', 'icon'],
    ['page.html', '<picture><source type="image/webp" srcset="b.webp"><img src="a.png"></picture>', 'a.png', 'typed'],
    ['page.html', '<img src="a.png"><object data="a.png"></object>', 'a.png', 'typed'],
    ['style.css', '.a { background: image-set(url(a.png) type("image/png"), url(b.png)) }', 'a.png', 'typed'],
    ['style.css', '.a { background: image-set(url(a.png) type("image/png"), url(b.png)) }', 'b.png', 'content'],
    ['script.js', '<link rel="icon" href="a.png">', 'a.png', 'content'],
  ])('%s with %s: %s is %s', async (name, text, url, expected) => {
    const file = path.join(folder, name)
    await writeFile(file, text)
    expect(await useIn(file, url)).toBe(expected)
  })

  it('takes a file that is missing for one that binds nothing', async () => {
    expect(await useIn(path.join(folder, 'missing.css'), 'a.png')).toBe('content')
  })
})
