import { createProject, danglingReferences, photo, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VITES, buildProject, emittedText } from './build.ts'

const WEBP = `{ convert: { type: 'image/webp' } }`

/** A plugin that adds a declaration, with an image in it on top. */
const ADDING = `{ postcssPlugin: 'adding', Once: (root) => {
  root.walkRules((rule) => rule.append({ prop: '--from', value: NAME, source: rule.source }, { prop: 'mask', value: 'url(./b.png)', source: rule.source }))
} }`

let project: Project
beforeAll(async () => {
  project = await createProject('vite-css', {
    packages: ['unplugin-pixpress', 'vite', 'vite7', 'sass'],
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

async function buildCss(vite: (typeof VITES)[number], css: string, input = 'src/main.js'): Promise<string> {
  const config = `{ css: ${css}, build: { assetsInlineLimit: 0, cssMinify: false, rollupOptions: { input: '${input}' } } }`
  const { error, warnings } = await buildProject(project, { vite, options: WEBP, config })
  expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
  expect(danglingReferences(await readReferences(project.path('dist')))).toEqual([])
  return (await emittedText(project, '.css')).replaceAll(/-[\w-]{8}\.webp/g, '.webp')
}

describe.each(VITES)('PostCSS, %s', (vite) => {
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

  it('leaves public files, fragments, data and other hosts to Vite', async () => {
    const text = `.a { background: url(/p.png), url(#part), url(data:image/gif;base64,AA==), url(https://example.com/a.png) }`
    await project.write('src/others.css', text)
    expect(await buildCss(vite, '{}', 'src/others.css')).toContain(text)
  })
})

describe.each(VITES)('Lightning CSS, %s', (vite) => {
  it('rewrites the text of modules', async () => {
    await project.write(
      'src/light.scss',
      `// url(./none.png)\n.a { .b { background: url(./a.png) } }\n.c { background: image-set("./b.png" 1x) }`,
    )
    const css = await buildCss(vite, `{ transformer: 'lightningcss' }`, 'src/light.scss')
    expect(css).toContain('/assets/a.webp')
    expect(css).toContain('/assets/b.webp')
  })
})
