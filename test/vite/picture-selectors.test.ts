import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VITES, buildProject } from './build.ts'
import type { ViteName } from './build.ts'

/** Without white space, as minifiers leave it. */
const SPARING = 'picture:where(:not([data-pixpress]))'

const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>x</title>
<style>picture + p { color: green }</style></head>
<body><div class="prose"><p><img src="./src/a.png" alt=""></p></div><script type="module" src="./src/main.js"></script></body></html>`

let project: Project

beforeAll(async () => {
  project = await createProject('vite-picture-selectors', {
    packages: ['unplugin-pixpress', 'esbuild', ...VITES],
    files: {
      'index.html': PAGE,
      'src/a.png': await photo(120, 90).png(),
      'src/main.js': `import './style.css'; import text from './script.css?inline'; globalThis.css = text`,
      'src/style.css': `@import './imported.css'; .prose :where(picture > img):not(:where([class~='plain'] *)) { margin: 0 } .picture { color: red }`,
      'src/imported.css': '.a { picture { color: blue } } figure:has(> picture) { margin: 1px }',
      'src/script.css': 'picture img { color: red }',
    },
  })
})
afterAll(() => project?.dispose())

interface Built {
  /** The stylesheet's name. */
  readonly name: string
  readonly css: string
  readonly html: string
  readonly script: string
}

async function build(vite: ViteName, options: string, config: string): Promise<Built> {
  const { error, warnings } = await buildProject(project, { vite, options, config })
  expect([error, warnings]).toEqual([undefined, []])
  const files = await project.list('dist')
  const text = (name: string): Promise<string> => project.readText(`dist/${name}`)
  const name = files.find((file) => file.endsWith('.css'))!
  const script = files.find((file) => file.endsWith('.js'))!
  return { name, css: await text(name), html: await text('index.html'), script: await text(script) }
}

const MODERN = `target: 'esnext', assetsInlineLimit: 0`

describe.each([
  ['vite', `{ build: { ${MODERN}, cssMinify: 'esbuild' } }`],
  ['vite', `{ css: { transformer: 'lightningcss' }, build: { ${MODERN}, cssMinify: 'lightningcss' } }`],
  ['vite7', `{ build: { ${MODERN} } }`],
  ['vite6', `{ build: { ${MODERN} } }`],
  ['vite5', `{ build: { ${MODERN} } }`],
] as const)('%s with %s', (vite, config) => {
  it('has rules on pictures leave alone those that the page gets, and names stylesheets by that', async () => {
    const auto = await build(vite, `{ convert: 'auto' }`, config)
    expect(auto.css).toContain(`.prose :where(${SPARING}>img):not(:where([class~=plain] *))`)
    expect(auto.css.match(/picture:where\(:not\(\[data-pixpress\]\)\)/g)).toHaveLength(3)
    expect(auto.css).toMatch(/\.picture\s*\{/)
    expect(auto.script).toContain(`${SPARING} img`)
    expect((auto.css + auto.html).replaceAll(' + ', '+')).toContain(`${SPARING}+p`)
    expect(auto.html).toContain('<p><picture data-pixpress style="display:contents">')

    const plain = await build(vite, '{}', config)
    expect(plain.css + plain.html + plain.script).not.toContain('data-pixpress')
    expect(plain.name).not.toBe(auto.name)
    expect(await build(vite, `{ convert: 'auto' }`, config)).toEqual(auto)
  })
})

it('leaves rules as they are that browsers without :where() can read', async () => {
  const config = `{ build: { target: 'chrome80', assetsInlineLimit: 0 } }`
  const { css, html } = await build('vite7', `{ convert: 'auto' }`, config)
  expect(css.match(/picture:where\(:not\(\[data-pixpress\]\)\)/g)).toHaveLength(1)
  expect(css).toContain(`.prose :where(${SPARING}>img)`)
  // The page's own <style> is part of it.
  expect(html + css).toMatch(/picture\s*\+\s*p/)
})
