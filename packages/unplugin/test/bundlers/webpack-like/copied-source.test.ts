import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copiedSource } from '../../../src/bundlers/webpack-like/copied-source.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  for (const [name, size] of [['public/a.png', 3], ['assets/a.png', 3], ['assets/b.png', 4], ['dist/c.png', 5]] as const) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), Buffer.alloc(size))
  }
}) // prettier-ignore
afterAll(() => rm(root, { recursive: true, force: true }))

it.each([
  ['as webpack names it', 'assets/a.png', 3, 'assets/a.png'],
  ['in public/ first', 'a.png', 3, 'public/a.png'],
  ['in another folder of the project', 'b.png', 4, 'assets/b.png'],
  ['not where its bytes are others', 'b.png', 3, 'b.png'],
  ['not in the output', 'c.png', 5, 'c.png'],
])('finds the source of a copied asset %s', (_, named, size, expected) => {
  expect(copiedSource(root, named, size)).toBe(path.join(root, expected))
})
