import { createProject, danglingReferences, photo, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject, emitted, emittedText } from './build.ts'
import type { ViteName } from './build.ts'
import { serve } from './serve.ts'

const WEBP = `{ convert: { type: 'image/webp' } }`

/** A plugin that adds a declaration, with an image in it on top. */
const ADDING = `{ postcssPlugin: 'adding', Once: (root) => {
  root.walkRules((rule) => rule.append({ prop: '--from', value: NAME, source: rule.source }, { prop: 'mask', value: 'url(./b.png)', source: rule.source }))
} }`

let project: Project
beforeAll(async () => {
  project = await createProject('vite-css', {
    packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST, 'sass'],
    files: {
      'src/a.png': await photo(80, 60, 1).png(),
      'src/b.png': await photo(80, 60, 2).png(),
      'src/odd name’s (1).png': await photo(80, 60, 3).png(),
      'src/main.js': `import './style.css'`,
      'src/style.css': `.a { background: url(./a.png) }`,
      'public/p.png': await photo(80, 60, 4).png(),
      'public/up.png': await photo(80, 60, 5).png(),
    },
  })
})
afterAll(() => project.dispose())

async function buildCss(vite: ViteName, css: string, input = 'src/main.js'): Promise<string> {
  const config = `{ css: ${css}, build: { assetsInlineLimit: 0, cssMinify: false, rollupOptions: { input: '${input}' } } }`
  const { error, warnings } = await buildProject(project, { vite, options: WEBP, config })
  expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
  expect(danglingReferences(await readReferences(project.path('dist')))).toEqual([])
  return (await emittedText(project, '.css')).replaceAll(/-[\w-]{8}\.webp/g, '.webp')
}

describe.each(NEWEST_AND_OLDEST)('PostCSS, %s', (vite) => {
  it('leaves a stylesheet alone that is not well formed and shows no image', async () => {
    await project.write('src/open.css', '@media (min-width: 600px) {\n  .open { color: red }\n')
    await project.write('src/open.js', `import './open.css'\nimport './style.css'`)
    const built = await buildCss(vite, '{}', 'src/open.js')
    expect(built).toContain('.open { color: red }')
    expect(built).toContain('/assets/a.webp')
  })

  it('keeps the configuration that the project has in a file', async () => {
    await project.write('postcss.config.js', `export default { plugins: [${ADDING.replace('NAME', `'file'`)}] }`)
    const css = await buildCss(vite, '{}')
    await project.remove('postcss.config.js')
    expect(css).toContain('--from: file')
    expect(css).toContain('background: url(/assets/a.webp)')
    expect(css).toContain('mask: url(/assets/b.webp)')
  })

  it('keeps the configuration that the project has in another folder', async () => {
    await project.write('tools/.postcssrc.mjs', `export default { plugins: [${ADDING.replace('NAME', `'folder'`)}] }`)
    const css = await buildCss(vite, `{ postcss: './tools' }`)
    expect(css).toContain('--from: folder')
    expect(css).toContain('url(/assets/a.webp)')
  })

  it('keeps the plugins that the project has in Vite’s configuration', async () => {
    const css = await buildCss(vite, `{ postcss: { plugins: [${ADDING.replace('NAME', `'inline'`)}] } }`)
    expect(css).toContain('--from: inline')
    expect(css).toContain('mask: url(/assets/b.webp)')
  })

  it('fails as Vite does when the configuration is broken', async () => {
    await project.write('postcss.config.js', `throw new Error('broken on purpose')`)
    const { error } = await buildProject(project, {
      vite,
      config: `{ build: { rollupOptions: { input: 'src/main.js' } } }`,
    })
    await project.remove('postcss.config.js')
    expect(error).toContain('broken on purpose')
  })

  it('knows names with spaces, quotes, parentheses and other letters', async () => {
    await project.write(
      'src/odd.css',
      String.raw`.a { background: url("./odd name’s (1).png") }
.b { background: url(./odd\ name’s\ \(1\).png) } .c { background: url('./odd%20name%E2%80%99s%20(1).png') }`,
    )
    const css = await buildCss(vite, '{}', 'src/odd.css')
    expect(css.match(/url\(["']?\/assets\/odd[^)]*1\)?\.webp["']?\)/g)).toHaveLength(3)
  })

  it('leaves fragments, data and other hosts to Vite', async () => {
    const text = `.a { background: url(#part), url(data:image/gif;base64,AA==), url(https://example.com/a.png) }`
    await project.write('src/others.css', text)
    expect(await buildCss(vite, '{}', 'src/others.css')).toContain(text)
  })
})

/** Images of the output without hashes: one that ships twice is there twice. */
const images = async (): Promise<string[]> =>
  (await project.list('dist'))
    .filter((file) => /\.(?:png|webp)$/.test(file) && file.startsWith('assets/'))
    .map((file) => file.slice('assets/'.length).replace(/-[\w-]{8}\./, '.'))

describe.each(NEWEST_AND_OLDEST)('Lightning CSS, %s', (vite) => {
  const LIGHT = `{ transformer: 'lightningcss' }`
  it('sees the images of imported files, each beside its own file', async () => {
    await project.write('src/deep/x.css', `\n.x { background: url(./own.png), url(../a.png) }`)
    await project.write('src/deep/own.png', await photo(80, 60, 6).png())
    await project.write(
      'src/import.css',
      `@import './deep/x.css';\n.y { background: url(./a.png); cursor: url("./b.png") 1 1, auto }`,
    )
    const css = await buildCss(vite, LIGHT, 'src/import.css')
    expect(css.match(/\/assets\/a\.webp/g)).toHaveLength(2)
    expect(await images()).toEqual(['a.webp', 'b.webp', 'own.webp'])
  })

  it('ships the image of a composed class once', async () => {
    await project.write('src/base.module.css', `.base { background: url(./a.png) }`)
    await project.write('src/top.module.css', `.top { composes: base from './base.module.css'; color: red }`)
    await project.write(
      'src/modules.js',
      `import a from './top.module.css'\nimport b from './base.module.css'\nconsole.log(a, b)`,
    )
    await buildCss(vite, LIGHT, 'src/modules.js')
    expect(await images()).toEqual(['a.webp'])
  })

  it('sees what another plugin adds, keeps a declared type, and converts public files by a copy', async () => {
    // Adds a reference like Tailwind does for `bg-[url(/src/a.png)]`.
    const adding = `{ name: 'adding', enforce: 'pre', transform: (code, id) => id.endsWith('added.css')
      ? code + '.bg-\\\\[url\\\\(\\\\/src\\\\/a\\\\.png\\\\)\\\\] { background-image: url(/src/a.png) }' : null }`
    await project.write('src/added.css', `.t { background: image-set(url(./b.png) type("image/png") 1x), url(/p.png) }`)
    const config = `{ css: ${LIGHT}, plugins: [${adding}], build: { assetsInlineLimit: 0, cssMinify: false, rollupOptions: { input: 'src/added.css' } } }`
    const { error, warnings } = await buildProject(project, { vite, options: WEBP, config })
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    expect(await images()).toEqual(['a.webp', 'b.png', 'p.webp'])
    expect((await emitted(project, 'assets/b-')).length).toBeLessThan((await project.read('src/b.png')).length)
  })

  it('sees style elements and attributes of pages', async () => {
    await project.write(
      'light.html',
      `<style>.s { background: url(./src/a.png) }</style><p style="background: url(./src/b.png)">x</p>`,
    )
    const config = `{ css: ${LIGHT}, build: { assetsInlineLimit: 0, rollupOptions: { input: 'light.html' } } }`
    const { error } = await buildProject(project, { vite, options: WEBP, config })
    expect(error).toBeUndefined()
    expect(await images()).toEqual(['a.webp', 'b.webp'])
  })

  it('takes no image for another of the same text at the same place', async () => {
    const sheet = `.icon { background: url(./same.png) }`
    for (const [folder, seed] of [
      ['left', 7],
      ['right', 8],
    ] as const) {
      await project.write(`src/${folder}/sheet.css`, sheet)
      await project.write(`src/${folder}/same.png`, await photo(80, 60, seed).png())
    }
    await project.write('src/both.css', `@import './left/sheet.css';\n@import './right/sheet.css' print;`)
    await buildCss(vite, LIGHT, 'src/both.css')
    expect(await images()).toEqual(['same.png', 'same.png'])
  })

  it('points a dev server’s stylesheets at images that are made when they are asked for', async () => {
    await project.write('src/served.css', `.a { background: url(./a.png), url(/p.png) }`)
    const server = await serve(project, vite, {
      options: { convert: { type: 'image/webp' } },
      config: { css: { transformer: 'lightningcss' } },
    })
    try {
      const { body } = await server.ask('/src/served.css?direct', { accept: 'text/css' })
      const url = /\/@pixpress\/[\da-f]{16}\/a\.\w+/.exec(body.toString())?.[0]
      expect(body.toString()).toContain('url("/p.png")')
      expect((await server.ask(url!)).headers['content-type']).toBe('image/webp')
    } finally {
      await server.close()
    }
  })

  // Vite 5 hands Sass to Lightning CSS as it is written.
  if (vite !== 'vite5')
    it('sees what a preprocessor makes, of partials and variables too', async () => {
      await project.write('src/parts/_part.scss', `$one: './b.png';\n.p { background: url($one) }`)
      await project.write(
        'src/light.scss',
        `@use 'parts/part';\n$here: './a.png';\n// url(./none.png)\n.a { .b { background: url($here) } }\n.c { background: image-set("./b.png" 1x) }`,
      )
      await project.write('src/parts/b.png', await project.read('src/b.png'))
      const css = await buildCss(vite, LIGHT, 'src/light.scss')
      expect(css).toContain('/assets/a.webp')
      expect(await images()).toEqual(['a.webp', 'b.webp'])
    })
})
