import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { serveFolder } from '../../src/site/serve-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-served-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['/', ['/docs/app/main.js'], '/docs/'],
  ['/docs/', ['/app/main.js'], '/'],
  ['/', ['/app/main.js', '/docs/app/main.js'], undefined],
  ['/docs/', ['/docs/app/main.js', '/docs/none.css'], undefined],
  ['/', ['/docs/none.js', '/docs/app/'], undefined],
])('served at %s and asked for %j, knows the base %s', async (base, asked, other) => {
  mkdirSync(path.join(folder, 'app'), { recursive: true })
  writeFileSync(path.join(folder, 'app', 'main.js'), '')
  const served = await serveFolder(folder, base)
  try {
    for (const each of asked) await (await fetch(new URL(each, served.url))).text()
    expect(served.otherBase()).toBe(other)
  } finally {
    await served.close()
  }
})
