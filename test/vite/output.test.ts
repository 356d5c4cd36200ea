import { createProject, danglingReferences, detect, graphic, photo, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject, emitted, emittedText, evaluate } from './build.ts'

const WEBP = `{ convert: { type: 'image/webp' } }`

let project: Project
beforeAll(async () => {
  project = await createProject('vite-output', {
    packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
    files: {
      'index.html': `<img src="./src/page.png"><script type="module" src="./src/main.js"></script>`,
      'src/main.js': `import './style.css'\nimport image from './module.png'\nimport srcset from './module.png?w=20;40&as=srcset'
const located = new URL('./located.png', import.meta.url).href\nconsole.log(image, srcset, located)`,
      'src/style.css': `.a { background: url(./style.png) }`,
      'src/lib.js': `export { default } from './module.png'`,
      'src/same-stem.js': `import png from './stem.png'\nimport jpg from './stem.jpg'\nexport default { png, jpg }`,
      'src/page.png': await photo(80, 60, 1).png(),
      'src/module.png': await photo(80, 60, 2).png(),
      'src/located.png': await photo(80, 60, 3).png(),
      'src/style.png': await photo(80, 60, 4).png(),
      'src/stem.png': await photo(80, 60, 5).png(),
      'src/stem.jpg': await photo(80, 60, 6).jpeg(),
      'src/alone.png': await graphic(64, 48, 7).png(),
    },
  })
})
afterAll(() => project.dispose())

describe.each(NEWEST_AND_OLDEST)('where the site is served from, %s', (vite) => {
  async function urls(config: string): Promise<Map<string, string[]>> {
    const { error } = await buildProject(project, { vite, options: WEBP, config })
    expect(error).toBeUndefined()
    const found = new Map<string, string[]>()
    for (const { file, url } of await readReferences(project.path('dist'))) {
      const kind = file.replace(/.*\./, '')
      found.set(kind, [...(found.get(kind) ?? []), url.replace(/-[\w-]{8}\.webp/g, '.webp')].sort())
    }
    return found
  }
  const inline = `assetsInlineLimit: 0, minify: false`

  it('follows an absolute base', async () => {
    const found = await urls(`{ base: '/some/path/', build: { ${inline} } }`)
    expect(found.get('html')).toEqual(['/some/path/assets/page.webp'])
    expect(found.get('css')).toEqual(['/some/path/assets/style.webp'])
    expect(found.get('js')).toEqual(
      ['located', 'module-20', 'module-40', 'module'].map((name) => `/some/path/assets/${name}.webp`),
    )
  })

  it('follows a relative base', async () => {
    const found = await urls(`{ base: './', build: { ${inline} } }`)
    expect(found.get('html')).toEqual(['./assets/page.webp'])
    expect(found.get('css')).toEqual(['./style.webp'])
    expect(found.get('js')).toEqual(['located.webp', 'module-20.webp', 'module-40.webp', 'module.webp'])
    expect(danglingReferences(await readReferences(project.path('dist')))).toEqual([])
  })

  it('asks experimental.renderBuiltUrl', async () => {
    const render = `(file, { hostType }) =>
      hostType === 'js' ? { runtime: 'globalThis.at(' + JSON.stringify(file) + ')' } : 'https://cdn.example/' + file`
    const { error } = await buildProject(project, {
      vite,
      options: WEBP,
      config: `{ experimental: { renderBuiltUrl: ${render} }, build: { ${inline} } }`,
    })
    expect(error).toBeUndefined()
    expect(await emittedText(project, '.html')).toMatch(/src="https:\/\/cdn\.example\/assets\/page-[\w-]{8}\.webp"/)
    expect(await emittedText(project, '.css')).toMatch(/https:\/\/cdn\.example\/assets\/style-[\w-]{8}\.webp/)
    const code = await emittedText(project, '.js')
    const calls = [...code.matchAll(/globalThis\.at\("assets\/([\w-]+)-[\w-]{8}\.webp"\)/g)].map(([, name]) => name)
    expect(new Set(calls)).toEqual(new Set(['located', 'module', 'module-20', 'module-40']))
  })

  it('asks assetFileNames by the source', async () => {
    const names = `(asset) => 'named/' + (asset.originalFileNames?.[0] ?? 'none').replaceAll('/', '.') + '-[hash][extname]'`
    const { error } = await buildProject(project, {
      vite,
      options: WEBP,
      config: `{ build: { ${inline}, rollupOptions: { output: { assetFileNames: ${names} } } } }`,
    })
    expect(error).toBeUndefined()
    const images = (await project.list('dist')).filter((file) => file.endsWith('.webp'))
    expect(images.map((file) => file.replace(/-[\w-]{8}\.webp$/, ''))).toEqual([
      'named/src.located.png',
      'named/src.module.png',
      'named/src.module.png',
      'named/src.module.png',
      'named/src.page.png',
      'named/src.style.png',
    ])
  })

  it('keeps a.png and a.jpg apart without hashes', async () => {
    const entry = `rollupOptions: { input: 'src/same-stem.js', preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'main.js', assetFileNames: '[name][extname]' } }`
    await buildProject(project, { vite, options: WEBP, config: `{ build: { ${inline}, ${entry} } }` })
    expect(await evaluate(project, 'dist/main.js')).toEqual({ png: '/stem_png.webp', jpg: '/stem_jpg.webp' })
    const [png, jpg] = [await project.read('dist/stem_png.webp'), await project.read('dist/stem_jpg.webp')]
    expect([detect(png), detect(jpg)]).toEqual(['webp', 'webp'])
    expect(png.equals(jpg)).toBe(false)
  })

  it('puts images into a library', async () => {
    const lib = `{ entry: 'src/lib.js', formats: ['es'], fileName: () => 'lib.js' }`
    await buildProject(project, { vite, options: WEBP, config: `{ build: { lib: ${lib} } }` })
    expect(await project.list('dist')).toEqual(['lib.js'])
    const url = String(await evaluate(project, 'dist/lib.js'))
    expect(url).toMatch(/^data:image\/webp;base64,/)
    expect(detect(Buffer.from(url.slice(url.indexOf(',')), 'base64'))).toBe('webp')
  })

  it('takes an image as an input of the build', async () => {
    const config = `{ build: { manifest: true, rollupOptions: { input: 'src/alone.png' } } }`
    await buildProject(project, { vite, options: WEBP, config })
    expect((await project.list('dist')).filter((file) => file.endsWith('.js'))).toEqual([])
    const image = await emitted(project, 'assets/alone-')
    expect(detect(image)).toBe('webp')
    const manifest = JSON.parse(await project.readText('dist/.vite/manifest.json')) as object
    expect(Object.keys(manifest)).toEqual(['src/alone.png'])
  })

  it('names no files of the cache in the manifest, also of images that scripts, pages and stylesheets share', async () => {
    const page = `<img src="./src/alone.png"><img src="./src/stem.jpg?w=40"><script type="module" src="./src/shared.js"></script>`
    await project.write('shared.html', page)
    await project.write('src/shared.js', `import './shared.css'\nimport image from './alone.png'\nconsole.log(image)`)
    await project.write('src/shared.css', `.a { background: url(./alone.png) }`)
    const config = `{ build: { manifest: true, ${inline}, rollupOptions: { input: 'shared.html' } } }`
    const { error } = await buildProject(project, { vite, options: WEBP, config })
    expect(error).toBeUndefined()
    const manifest = JSON.parse(await project.readText('dist/.vite/manifest.json')) as Record<string, { src?: string }>
    const images = Object.entries(manifest).filter(([key]) => /\.(?:png|jpg)/.test(key))
    expect(images.map(([key, { src }]) => [key, src])).toEqual([
      ['src/alone.png', 'src/alone.png'],
      ['src/stem.jpg?w=40', 'src/stem.jpg?w=40'],
    ])
  })

  it('ships no image of <use> as it was', async () => {
    const sprite = `<svg xmlns="http://www.w3.org/2000/svg"><!-- drawn by hand -->\n\n  <symbol id="dot" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#ff0000"/></symbol>\n</svg>`
    await project.write('src/sprite.svg', sprite)
    await project.write('use.html', `<svg><use href="./src/sprite.svg#dot"></use></svg>`)
    await buildProject(project, { vite, config: `{ build: { ${inline}, rollupOptions: { input: 'use.html' } } }` })
    const images = (await project.list('dist')).filter((file) => file.endsWith('.svg'))
    expect(images).toHaveLength(1)
    const text = await project.readText(`dist/${images[0]!}`)
    expect(text).toContain('id="dot"')
    expect(text).not.toContain('drawn by hand')
    expect(await project.readText('dist/use.html')).toContain(`href="/${images[0]!}#dot"`)
  })

  it('works on the images of workers', async () => {
    await project.write(
      'src/page.js',
      `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })\nnew Worker(new URL('./worker.js', import.meta.url))`,
    )
    await project.write(
      'src/worker.js',
      `import image from './module.png'\npostMessage([image, new URL('./located.png', import.meta.url).href])`,
    )
    const config = `{ base: './', build: { ${inline}, rollupOptions: { input: 'src/page.js' } } }`
    const { error, reports } = await buildProject(project, { vite, options: WEBP, config })
    expect({ error, reports }).toEqual({ error: undefined, reports: 1 })
    const images = (await project.list('dist')).filter((file) => /\.(?:png|webp)$/.test(file))
    expect(images.map((file) => file.replace(/-[\w-]{8}\./, '.'))).toEqual([
      'assets/located.webp',
      'assets/module.webp',
    ])
    expect(danglingReferences(await readReferences(project.path('dist')))).toEqual([])
  })

  it('keeps the lines of source maps', async () => {
    const config = `{ build: { ${inline}, sourcemap: true, rollupOptions: { input: 'src/mapped.js' } } }`
    await project.write(
      'src/mapped.js',
      `const located = new URL('./located.png',\n  import.meta.url)\n\nexport function here() { throw new Error(located) }\nhere()\n`,
    )
    await buildProject(project, { vite, options: WEBP, config })
    const script = `
      import { SourceMap } from 'node:module'
      import { readFileSync, readdirSync } from 'node:fs'
      const name = readdirSync('dist/assets').find((file) => file.endsWith('.js'))
      const lines = readFileSync('dist/assets/' + name, 'utf8').split('\\n')
      const line = lines.findIndex((text) => text.includes('throw new Error'))
      const map = new SourceMap(JSON.parse(readFileSync('dist/assets/' + name + '.map', 'utf8')))
      console.log(JSON.stringify(map.findEntry(line, lines[line].indexOf('throw'))))`
    const { stdout } = await project.run(script)
    expect(JSON.parse(stdout)).toMatchObject({ originalSource: '../../src/mapped.js', originalLine: 3 })
    expect(await emittedText(project, '.js.map')).not.toContain(project.root)
  })
})
