import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo } from '@pixpress/testkit'
import { rollup } from 'rollup'
import type { Plugin, RollupCache, RollupOutput } from 'rollup'
import { afterEach, beforeEach, expect, it } from 'vitest'
import pixpress from '../../../src/rollup.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-rollup-')))
  await writeFile(path.join(root, 'package.json'), '{}')
  await writeFile(path.join(root, 'a.png'), await photo(160, 120).png())
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function bundle(
  code: string,
  options: Parameters<typeof pixpress>[0],
  { theirs, cache }: { theirs?: Plugin; cache?: RollupCache | undefined } = {},
): Promise<{ output: RollupOutput['output']; cache: RollupCache | undefined }> {
  await writeFile(path.join(root, 'main.js'), code)
  const given = { root, report: false, cache: { dir: 'cache' }, effort: 'fast', ...options } as const
  const build = await rollup({
    input: path.join(root, 'main.js'),
    plugins: [pixpress(given), theirs],
    ...(cache && { cache }),
  })
  const { output } = await build.write({ dir: path.join(root, 'dist'), assetFileNames: '[name][extname]' })
  await build.close()
  return { output, cache: build.cache }
}

it('the public path is that of images, and of no file of another plugin', async () => {
  const theirs: Plugin = {
    name: 'theirs',
    transform(code) {
      const reference = this.emitFile({ type: 'asset', name: 'theirs.bin', source: 'x' })
      return code.replace('THEIRS', `import.meta.ROLLUP_FILE_URL_${reference}`)
    },
  }
  const { output } = await bundle(
    `import a from './a.png'; console.log(a, THEIRS)`,
    { publicPath: '/static/' },
    { theirs },
  )
  expect(output[0].code).toContain('"/static/a.png"')
  expect(output[0].code).not.toContain('/static/theirs.bin')
})

const linesOf = async (): Promise<string[]> =>
  (await readFile(path.join(root, 'pixpress.lock'), 'utf8')).split('\n').filter((line) => line.includes('a.png'))

it('a build with the cache of another keeps the lines of the lock that it did not ask for', async () => {
  const code = `import a from './a.png?w=20'; console.log(a, new URL('./a.png?w=40', import.meta.url).href)`
  const { cache } = await bundle(code, { lock: true })
  expect(await linesOf()).toHaveLength(2)
  await bundle(code, { lock: true }, { cache })
  expect(await linesOf()).toHaveLength(2)
  await bundle(`import a from './a.png?w=20'; console.log(a)`, { lock: true })
  expect(await linesOf()).toHaveLength(1)
})
