import path from 'node:path'
import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject, entryOf } from './build.ts'

const WEBP = `convert: { type: 'image/webp' }`

/** Sources by a number, so that each has its own name in the output. */
const sources = async (names: readonly string[]): Promise<Record<string, Buffer>> =>
  Object.fromEntries(
    await Promise.all(names.map(async (name, at) => [`src/${name}.png`, await photo(120, 90, at + 1).png()] as const)),
  )

describe.each(NEWEST_AND_OLDEST)('the formats of %s', (vite) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('vite-kept-formats', { packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST] })
  })
  afterAll(() => project.dispose())

  /** The formats of the output's images, by the names of their sources. */
  async function formats(files: Record<string, string>, names: readonly string[], options: string, input: string) {
    for (const folder of ['src', 'dist']) await project.remove(folder)
    for (const [name, text] of Object.entries({ ...files, ...(await sources(names)) })) await project.write(name, text)
    const config = `{ build: { assetsInlineLimit: 0, rollupOptions: ${input} } }`
    const { error, warnings } = await buildProject(project, { vite, config, options })
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    const output = (await project.list('dist')).filter((file) => /\.(?:png|webp)$/.test(file))
    const found = await Promise.all(
      output.map(async (file) => [path.basename(file).split(/[-.]/)[0]!, detect(await project.read(`dist/${file}`))]),
    )
    return Object.fromEntries(found) as Record<string, string>
  }

  it('stay where a page says them, or not only browsers read the image', async () => {
    const names = ['icon', 'card', 'object', 'embed', 'source', 'fallback', 'preload', 'typedset', 'shown', 'poster', 'plainset']
    const page = `<!doctype html><head>
      <link rel="icon" href="./icon.png"><meta property="og:image" content="./card.png">
      <link rel="preload" as="image" type="image/png" href="./preload.png">
      <style>.a { background: image-set(url(./typedset.png) type('image/png')) }
      .b { background: image-set(url(./plainset.png) 1x) }</style></head>
      <object data="./object.png"></object><embed src="./embed.png">
      <picture><source type="image/png" srcset="./source.png"><img src="./fallback.png"></picture>
      <img src="./shown.png"><video poster="./poster.png"></video>`
    const found = await formats({ 'src/index.html': page }, names, `{ ${WEBP} }`, `{ input: 'src/index.html' }`)
    // Vite 5 leaves some of these references as they are.
    expect(names.filter((name) => found[name] === 'webp')).toEqual(['shown', 'poster', 'plainset'])
    expect(found).toMatchObject({ icon: 'png', fallback: 'png', preload: 'png', typedset: 'png' })
  }) // prettier-ignore

  it('stay where a query or a glob says so, or a script gives the image away', async () => {
    const names = ['usual', 'typed', 'original', 'glob', 'given', 'linked']
    const files = {
      'src/main.js': `import usual from './usual.png'
        import typed from './typed.png?format=png'
        import original from './original.png?original'
        import glob from './glob.png'
        import { given } from './pdf.js'
        import linked from './linked.png'
        export default [usual, typed, original, glob, given, { meta: [{ property: 'og:image', content: linked }] }]`,
      'src/pdf.js': `import given from './given.png'\nexport { given }\nexport const load = () => import('jspdf')`,
    }
    const options = `{ ${WEBP}, overrides: [{ include: '**/glob.png', convert: false }] }`
    const input = `{ ...${entryOf('src/main.js')}, external: ['jspdf'] }`
    expect(await formats(files, names, options, input)).toEqual({
      usual: 'webp',
      typed: 'png',
      original: 'png',
      glob: 'png',
      given: 'png',
      linked: 'png',
    })
  })
})
