import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameNewUrls } from '../../src/modules/new-url-imports.ts'
import { openSession } from '../../src/session/registry.ts'

let root: string

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-new-url-'))
  await writeFile(path.join(root, 'a b.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
})

afterAll(() => rm(root, { recursive: true, force: true }))

async function named(code: string): Promise<string | undefined> {
  const session = openSession({ cache: false, report: false }, root)
  return (await nameNewUrls(session, path.join(root, 'main.js'), code, () => undefined))?.text.toString()
}

describe('nameNewUrls', () => {
  it('puts names in the place of URLs', async () => {
    expect(await named(`f(new URL('./a%20b.svg', import.meta.url), new URL("a b.svg#x", import.meta.url))`)).toBe(
      `f(new URL(__pixpress_0, import.meta.url), new URL(__pixpress_1 + "#x", import.meta.url))`,
    )
  })

  it('takes names that the code does not have', async () => {
    expect(await named(`__pixpress_0; new URL(\`a b.svg\`, import.meta.url)`)).toBe(
      '__pixpress_0; new URL(__pixpress__0, import.meta.url)',
    )
  })

  it.each([
    `new URL('./missing.svg', import.meta.url)`,
    `new URL('/a b.svg', import.meta.url)`,
    `new URL('./a b.svg?react', import.meta.url)`,
    `new URL('./main.css', import.meta.url)`,
    `new URL('./a b.svg')`,
  ])('leaves %s', async (code) => {
    expect(await named(code)).toBeUndefined()
  })
})
