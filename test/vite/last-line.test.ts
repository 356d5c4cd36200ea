import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createProject, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const NAMES = ['a', 'b', 'c']

let project: Project
beforeAll(async () => {
  project = await createProject('last-line', { packages: ['unplugin-pixpress', 'vite'] })
  await project.write(
    'index.html',
    NAMES.map((name) => `<img width="320" height="240" src="./${name}.png">`).join('\n'),
  )
  for (const [at, name] of NAMES.entries()) await project.write(`${name}.png`, await photo(320, 240, at).png())
  await project.write(
    'build.mjs',
    `import { build } from 'vite'
     import pixpress from 'unplugin-pixpress/vite'
     const options = new Function('return {' + (process.argv[2] ?? '') + '}')()
     await build({ logLevel: 'silent', plugins: [pixpress({ report: { json: 'report.json' }, ...options })] })`,
  )
})
afterAll(() => project.dispose())

interface Built {
  /** The last line that pixpress printed. */
  readonly end: string
  /** Bytes of images that a browser loads which reads every type. */
  readonly delivered: number
  readonly worth: { readonly setting: string; readonly saves: number } | undefined
}

/** @param line of the plugin's options, as a person pastes it */
async function build(line = ''): Promise<Built> {
  const { code, stdout, stderr } = await project.run('build.mjs', { args: [line] })
  if (code !== 0) throw new Error(stderr)
  const end = stripVTControlCharacters(stdout).trimEnd().split('\n').at(-1)!
  const page = await project.readText('dist/index.html')
  const pictures = page.match(/<picture[\s\S]*?<\/picture>|<img[^>]*>/g)!
  let delivered = 0
  for (const picture of pictures) {
    const [, url] = /(?:srcset|src)="([^" ]+)/.exec(picture)!
    delivered += (await project.read(path.posix.join('dist', url!))).length
  }
  expect(pictures).toHaveLength(NAMES.length)
  const { worth } = JSON.parse(await project.readText('report.json')) as Pick<Built, 'worth'>
  return { end, delivered, worth }
}

describe('the last line of a build', () => {
  it('says what was achieved, and names no step of which nothing is known', async () => {
    const cold = await build()
    expect(cold.end).toMatch(/^pixpress {2}[\d.]+ kB → [\d.]+ kB \(-\d+%\)$/)
    const warm = await build()
    expect(warm.end).toMatch(/^pixpress {2}3 images, all cached {2}[\d.]+ kB → [\d.]+ kB {2}-\d+% {2}/)
    expect([cold.worth, warm.worth, warm.delivered]).toEqual([undefined, undefined, cold.delivered])
  })

  it('names the step that was tried, cold and warm, which saves what it says once it is done', async () => {
    // On a branch, with the same cache.
    await build("convert: 'auto'")
    const warm = await build()
    // The line above has the total of a build that found everything in the cache.
    expect(warm.end).toMatch(/^pixpress {2}`convert: 'auto'` would save [\d.]+ kB more$/)
    await project.write('a.png', await photo(320, 240, 7).png())
    const cold = await build()
    // One of them is new, and nobody has tried it.
    expect(cold.end).toEqual(naming("`convert: 'auto'`", '2', '3 images'))
    await project.write('a.png', await photo(320, 240, 0).png())
    const before = await build()
    expect(before.worth).toEqual(warm.worth)
    const after = await build(before.worth!.setting)
    const saved = before.delivered - after.delivered
    expect(Math.abs(saved - before.worth!.saves)).toBeLessThan(0.02 * saved)
    expect(after.worth).toBeUndefined()
  })
})
