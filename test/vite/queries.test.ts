import { createProject, decode, detect, photo, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject, evaluate } from './build.ts'
import type { ViteName } from './build.ts'

const IMPORTS = {
  plain: './a.png',
  url: './a.png?url',
  raw: './a.png?raw',
  inline: './a.png?inline',
  noInline: './a.png?no-inline',
  original: './a.png?original',
  originalInline: './a.png?original&inline',
  foreign: './a.png?foo=1',
  marked: './a.png?w=120&jsx',
  given: './a.png?w=120&format=png&withoutEnlargement&autoOrient=true&progressive',
  resized: './a.png?w=120&format=png',
  srcset: './a.png?w=80;120&as=srcset',
  picture: './a.png?w=80;120&format=avif;webp;png&as=picture',
  metadata: './a.png?w=120&format=webp&as=metadata',
  lqip: './a.png?w=80;120&as=img&lqip=thumbhash',
  preset: './a.png?preset=small',
  fragment: './v.svg#part',
} as const

interface Values extends Record<Exclude<keyof typeof IMPORTS, 'picture' | 'metadata' | 'lqip'>, string> {
  picture: { sources: Record<string, string>; img: { src: string; w: number; h: number } }
  metadata: Record<string, unknown>
  lqip: Record<string, unknown>
}

describe.each(NEWEST_AND_OLDEST)('queries, %s', (vite) => {
  let project: Project
  let values: Values
  let source: Buffer
  const read = (url: string): Promise<Buffer> => project.read(`dist${url}`)

  beforeAll(async () => {
    source = await photo(240, 180, 1).png()
    const lines = Object.entries(IMPORTS).map(([name, specifier]) => `import ${name} from ${JSON.stringify(specifier)}`)
    project = await createProject('vite-queries', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'src/a.png': source,
        'src/v.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- a --><g id="part"/></svg>`,
        'src/main.js': `${lines.join('\n')}\nexport default { ${Object.keys(IMPORTS).join(', ')} }`,
      },
    })
    const output = `{ entryFileNames: 'main.js' }`
    const { error, warnings } = await buildProject(project, {
      vite,
      options: `{ convert: { type: 'image/webp' }, presets: { small: { w: 80, format: 'webp' } } }`,
      config: `{ build: { assetsInlineLimit: 0,
        rollupOptions: { input: 'src/main.js', preserveEntrySignatures: 'strict', output: ${output} } } }`,
    })
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    values = (await evaluate(project, 'dist/main.js')) as Values
  })
  afterAll(() => project.dispose())

  it('gives one asset to an import and its ?url and ?no-inline', async () => {
    expect(values.plain).toMatch(/^\/assets\/a-[\w-]{8}\.webp$/)
    expect([values.url, values.noInline]).toEqual([values.plain, values.plain])
    expect(detect(await read(values.plain))).toBe('webp')
  })

  it('leaves ?raw to Vite', () => {
    expect(values.raw).toBe(source.toString('utf8'))
  })

  it('puts the processed bytes into ?inline', async () => {
    expect(values.inline.startsWith('data:image/webp;base64,')).toBe(true)
    expect(Buffer.from(values.inline.split(',')[1]!, 'base64').equals(await read(values.plain))).toBe(true)
  })

  it('gives the untouched bytes to ?original, at a URL without it', async () => {
    expect(values.original).toMatch(/^\/assets\/a-[\w-]{8}\.png$/)
    expect((await read(values.original)).equals(source)).toBe(true)
    expect(values.originalInline).toBe(`data:image/png;base64,${source.toString('base64')}`)
  })

  it('leaves queries of other plugins alone', async () => {
    expect(values.foreign).toMatch(/\.png\?foo=1$/)
    expect((await read(values.foreign.replace(/\?.*/, ''))).equals(source)).toBe(true)
    expect((await read(values.marked.replace(/\?.*/, ''))).equals(source)).toBe(true)
  })

  it('resizes', async () => {
    expect(await decode(await read(values.resized))).toMatchObject({ type: 'png', width: 120, height: 90 })
    expect(values.given).toBe(values.resized)
    expect(await decode(await read(values.preset))).toMatchObject({ type: 'webp', width: 80, height: 60 })
  })

  it('gives imagetools’ shapes', async () => {
    expect(values.srcset).toMatch(/^\/assets\/a-80-[\w-]{8}\.webp 80w, \/assets\/a-120-[\w-]{8}\.webp 120w$/)
    expect(Object.keys(values.picture.sources)).toEqual(['avif', 'webp', 'png'])
    expect(values.picture.img).toMatchObject({ w: 120, h: 90 })
    for (const [format, srcset] of Object.entries(values.picture.sources)) {
      for (const candidate of srcset.split(', ')) expect(detect(await read(candidate.split(' ')[0]!))).toBe(format)
    }
    const { size, ...others } = values.metadata
    expect(others).toMatchObject({ format: 'webp', width: 120, height: 90, hasAlpha: false })
    expect(size).toBe((await read(String(values.metadata.src))).length)
  })

  it('gives what to show until the image is there', () => {
    const { placeholder, color, hash, width, height } = values.lqip
    expect(placeholder).toMatch(/^data:image\/webp;base64,[\w+/=]{20,378}$/)
    expect(color).toMatch(/^#[0-9a-f]{6}$/)
    expect(Buffer.from(String(hash), 'base64').length).toBeLessThan(30)
    expect([width, height, values.lqip.w]).toEqual([120, 90, 120])
  })

  it('keeps a fragment', async () => {
    expect(values.fragment).toMatch(/^\/assets\/v-[\w-]{8}\.svg#part$/)
  })
})

describe('directives that are wrong', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('vite-mistakes', {
      packages: ['unplugin-pixpress', 'vite'],
      files: { 'src/a.png': await photo(80, 60, 1).png() },
    })
  })
  afterAll(() => project.dispose())

  it.each([
    ['import', { 'src/main.js': `import a from './a.png?w=20&fromat=webp'\nconsole.log(a)` }],
    ['url()', { 'src/main.js': `import './a.css'`, 'src/a.css': `.a { background: url(./a.png?w=20&fromat=webp) }` }],
    ['new URL', { 'src/main.js': `console.log(new URL('./a.png?w=20&fromat=webp', import.meta.url))` }],
    ['page', { 'index.html': `<img src="./src/a.png?w=20&fromat=webp">` }],
  ])('fail the build with the file and the right spelling: %s', async (_, files) => {
    for (const [file, text] of Object.entries(files)) await project.write(file, text)
    const input = 'index.html' in files ? 'index.html' : 'src/main.js'
    const { error } = await buildProject(project, { config: `{ build: { rollupOptions: { input: '${input}' } } }` })
    expect(error).toEqual(naming("'fromat'", "'format'"))
    expect(error).toMatch(/a\.png/)
  })

  it('fail where one URL is needed and several are asked for', async () => {
    await project.write('src/main.js', `console.log(new URL('./a.png?w=20;40', import.meta.url))`)
    const { error } = await buildProject(project, { config: `{ build: { rollupOptions: { input: 'src/main.js' } } }` })
    expect(error).toContain('src/a.png')
    expect(error).toEqual(naming("'?w=20;40'", '2'))
  })
})

describe.each(NEWEST_AND_OLDEST)('an import that is wrong, %s', (vite) => {
  it('is named with the file that imports it, without a stack', async () => {
    const project = await createProject('vite-importer', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'src/deep/main.js': `import a from '../a.png?w=wide'\nconsole.log(a)`,
        'src/a.png': await photo(8, 6, 1).png(),
      },
    })
    try {
      const { error } = await buildProject(project, {
        vite,
        config: `{ build: { rollupOptions: { input: 'src/deep/main.js' } } }`,
      })
      expect(error).toEqual(naming("'w'", "'wide'"))
      expect(error).toMatch(/src\/a\.png\?w=wide in src\/deep\/main\.js:|\(imported by src\/deep\/main\.js\)/)
      expect(error).not.toMatch(/\n\s+at .*unplugin-pixpress/)
    } finally {
      await project.dispose()
    }
  })
})

describe.each(NEWEST_AND_OLDEST)('queries that are nearly directives, %s', (vite) => {
  const files = {
    'src/main.js': `import './a.css'
import size from './a.png?size=120'
import type from './a.png?webp'
import again from './a.png?webp&url'
import other from './a.png?react'
import buster from './a.png?v=3'
import token from './a.png?token=5'
import raw from './a.png?raw'
import taken from './a.png?placeholder'
import alias from './a.png?width=120'
export default { size, type, again, other, buster, token, raw, taken, alias }`,
    'src/a.css': `.a { background: url(./a.png?sizes=60,120) } .b { background: url(./a.png?v=4#iefix) }`,
  }
  // Another plugin's query, which it answers itself.
  const other = `{ name: 'lqip', enforce: 'pre', load: (id) => (id.endsWith('?placeholder') ? 'export default 1' : null) }`

  it('are each said once, with the right spelling, and nobody else’s are', async () => {
    const project = await createProject('vite-near', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: { ...files, 'src/a.png': await photo(240, 180, 1).png() },
    })
    try {
      const { error, warnings } = await buildProject(project, {
        vite,
        config: `{ plugins: [${other}], build: { assetsInlineLimit: 0,
          rollupOptions: { input: 'src/main.js', preserveEntrySignatures: 'strict', output: { entryFileNames: 'main.js' } } } }`,
      })
      expect(error).toBeUndefined()
      expect(warnings.map((warning) => warning.replace(/^.*?src\//, '')).sort()).toEqual([
        naming('a.png', '120', "'size'", "'?w=120'"),
        naming('a.png', '60,120', "'sizes'", "'?w=120'"),
        naming('a.png', "'webp'", "'?format=webp'"),
        naming('a.png', "'webp'", "'?format=webp'"),
      ])
      const { alias } = (await evaluate(project, 'dist/main.js')) as { alias: string }
      expect(await decode(await project.read(`dist${alias}`))).toMatchObject({ width: 120, height: 90 })
    } finally {
      await project.dispose()
    }
  })
})

describe('default directives', () => {
  const DEFAULTS = `new URLSearchParams({ format: 'webp;jpg', as: 'picture', w: '60;120', quality: '75' })`
  const ofProject = `(url) => (url.searchParams.has('card') ? new URLSearchParams('w=60&format=webp') : new URLSearchParams())`
  const main = `import plain from './a.png'
import card from './a.png?card'
import wide from './a.png?card&w=90'
import one from './a.png?w=90&format=png&as=url'
import mark from './mark.svg'
import raw from './a.png?raw'
import marked from './a.png?enhanced'
const globbed = import.meta.glob('./g/*.png', { eager: true, import: 'default' })
export default { plain, card, wide, one, mark, raw: raw.length, marked, globbed }`

  async function build(vite: ViteName, defaults: string): Promise<Record<string, unknown>> {
    const image = await photo(240, 180, 1).png()
    const project = await createProject('vite-defaults', {
      packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST],
      files: {
        'src/main.js': main,
        'src/a.png': image,
        'src/g/b.png': await photo(80, 60, 2).png(),
        'src/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      },
    })
    try {
      const { error } = await buildProject(project, {
        vite,
        options: `{ compat: 'imagetools', defaultDirectives: ${defaults} }`,
        config: `{ build: { assetsInlineLimit: 0,
          rollupOptions: { input: 'src/main.js', preserveEntrySignatures: 'strict', output: { entryFileNames: 'main.js' } } } }`,
      })
      expect(error).toBeUndefined()
      return (await evaluate(project, 'dist/main.js')) as Record<string, unknown>
    } finally {
      await project.dispose()
    }
  }

  const picture = {
    sources: { webp: expect.stringMatching(/webp 60w, .+webp 120w$/), jpeg: expect.stringMatching(/ 60w, .+ 120w$/) },
    img: { src: expect.stringMatching(/\.jpg$/), w: 120, h: 90 },
  }

  it.each(['vite', 'vite5'] as const)('hold for every import of an image, as in imagetools: %s', async (vite) => {
    const given = await build(vite, DEFAULTS)
    for (const name of ['plain', 'card']) expect(given[name]).toMatchObject(picture)
    expect(given['wide']).toMatchObject({ img: { w: 90 } })
    expect(given['one']).toMatch(/\.png$/)
    expect(given['mark']).toMatch(/^(?:data:image\/svg|\/assets\/mark)/)
    expect(given['marked']).toMatch(/\.png\?enhanced$/)
    expect(given['raw']).toBeGreaterThan(1000)
    expect(given['globbed']).toMatchObject({ './g/b.png': { img: { w: 80, h: 60 } } })
  })

  it('may come from a function that reads words of the project', async () => {
    const given = await build('vite', ofProject)
    expect(given['plain']).toMatch(/\.png$/)
    expect(given['card']).toMatch(/\.webp$/)
    expect(given['wide']).toMatch(/-90-[\w-]{8}\.webp$/)
    expect(given['marked']).toMatch(/\.png\?enhanced$/)
  })
})

describe('broken images', () => {
  const files = {
    'src/main.js': `import './a.css'\nexport { default as one } from './broken.png'
export { default as many } from './broken.png?w=20;40&as=img'`,
    'src/a.css': `.a { background: url(./broken.png?no-inline) }`,
    'src/broken.png': 'this is no image',
    'public/torn.png': 'nor is this',
  }
  const config = `{ build: { assetsInlineLimit: 0, rollupOptions: { input: 'src/main.js', preserveEntrySignatures: 'strict' } } }`

  it('are named once and kept', async () => {
    const project = await createProject('vite-broken', { packages: ['unplugin-pixpress', 'vite'], files })
    try {
      const { error, warnings } = await buildProject(project, { config })
      expect(error).toBeUndefined()
      expect(warnings.map((warning) => /(?:src|public)\/\w+\.png/.exec(warning)?.[0]).sort()).toEqual([
        'public/torn.png',
        'src/broken.png',
      ])
      const images = (await project.list('dist')).filter((file) => file.endsWith('.png'))
      expect(images.map((file) => file.replace(/-[\w-]{8}\./, '.'))).toEqual(['assets/broken.png', 'torn.png'])
      expect(await project.readText(`dist/${images[0]!}`)).toContain('is no image')
    } finally {
      await project.dispose()
    }
  })
})
