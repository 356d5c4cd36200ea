import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { packagesIn, TOOLS } from '../../src/index.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pixpress-uses-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return folder
}

describe('packagesIn', () => {
  it('finds the packages of a tool that has several by manifests and scripts', async () => {
    const folder = await project({
      'package.json': '{ "devDependencies": { "vite-plugin-imagemin": "^1.0.0" } }',
      'rollup.config.js': "import imagemin from 'unplugin-imagemin/rollup'",
    })
    expect(await packagesIn(folder, [TOOLS.imagemin])).toEqual(['unplugin-imagemin', 'vite-plugin-imagemin'])
  })

  it('takes no longer name for a package, and no word of a text', async () => {
    const folder = await project({
      'package.json': '{ "devDependencies": { "vite-imagetools-extra": "1.0.0" } }',
      'notes.js': '// vite-imagetools is gone',
    })
    expect(await packagesIn(folder, [TOOLS.imagetools])).toEqual([])
  })
})
