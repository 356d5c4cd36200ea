import { SourceMap } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createProject, decode, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import type { BuildFailure, Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

const webp = { convert: { type: 'image/webp' } } as const
let project: Project

beforeAll(async () => {
  project = await createProject('esbuild-references', {
    files: {
      'src/img/one.png': await photo(120, 90).png(),
      'src/img/two.png': await photo(100, 80, 3).png(),
      'src/img/torn.png': 'not an image',
      'src/img/icon.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><g id="part"><path d="M0 0h8v8z"/></g></svg>',
    },
  })
})

afterAll(() => project.dispose())

let evaluations = 0
const evaluate = (): Promise<Record<string, never>> =>
  import(/* @vite-ignore */ `${pathToFileURL(project.path('dist/main.js')).href}?${evaluations++}`) as never

describe('the format', () => {
  it('stays where a query or a glob says so, or a server reads the file', async () => {
    const names = ['usual', 'typed', 'original', 'glob', 'read', 'joined']
    for (const [at, name] of names.entries()) await project.write(`src/${name}.png`, await photo(120, 90, at + 1).png())
    await project.write(
      'src/main.js',
      `import { readFileSync } from 'node:fs'
      import path from 'node:path'
      import usual from './usual.png'
      import typed from './typed.png?format=png'
      import original from './original.png?original'
      import glob from './glob.png'
      import joined from './joined.png'
      const read = new URL('./read.png', import.meta.url)
      export const formats = Object.entries({ usual, typed, original, glob }).map(([name, url]) => name + path.extname(url))
      export const bytes = [readFileSync(read), readFileSync(path.join(import.meta.dirname, joined))]`,
    )
    const overrides = [{ include: '**/glob.png', convert: false }] as const
    await bundle(project, { platform: 'node', loader: { '.png': 'file' }, options: { ...webp, overrides } })
    const { formats, bytes } = (await evaluate()) as unknown as { formats: string[]; bytes: Buffer[] }
    expect(formats).toEqual(['usual.webp', 'typed.png', 'original.png', 'glob.png'])
    expect(bytes.map((each) => detect(each))).toEqual(['png', 'png'])
  })
})

describe('scripts', () => {
  it('makes `new URL` lead to the processed file, in any kind of script, lines kept', async () => {
    const lines = [
      'interface Shape { url: URL }',
      'export const shape: Shape = { url: new URL(`./img/one.png?w=60#top`, import.meta.url) }',
      "// new URL('./img/two.png', import.meta.url) in a remark",
      'export const text = "new URL(\'./img/two.png\', import.meta.url)"',
      'export function thrower(): never { throw new Error("here") }',
    ]
    await project.write('src/main.ts', lines.join('\n'))
    const { files, text } = await bundle(project, { entryPoints: ['src/main.ts'], options: webp, sourcemap: true })
    const { shape, text: kept } = (await evaluate()) as unknown as { shape: { url: URL }; text: string }
    expect(shape.url.hash).toBe('#top')
    const file = path.relative(project.path('dist'), shape.url.pathname)
    expect(await decode(files.get(file)!)).toMatchObject({ type: 'webp', width: 60 })
    expect(kept).toBe("new URL('./img/two.png', import.meta.url)")
    const code = text('main.js').split('\n')
    const line = code.findIndex((each) => each.includes('"here"'))
    const map = new SourceMap(JSON.parse(text('main.js.map')))
    expect(map.findEntry(line, code[line]!.indexOf('throw'))).toMatchObject({ originalLine: 4 })
  })

  it('takes up every image of a glob, and what is imported besides', async () => {
    await project.write(
      'src/main.js',
      `import one from './img/one.png'
       export const load = (name) => import(\`./img/\${name}.png\`)
       export { one }
       export const required = require('./img/two.png')`,
    )
    const { files } = await bundle(project, { options: webp, assetNames: '[name]' })
    const site = (await evaluate()) as unknown as {
      one: string
      required: string
      load(name: string): Promise<{ default: string }>
    }
    expect([site.one, site.required]).toEqual(['./one.webp', './two.webp'])
    expect((await site.load('one')).default).toBe('./one.webp')
    expect((await site.load('two')).default).toBe('./two.webp')
    expect([...files.keys()]).toEqual(['main.js', 'one.webp', 'torn.png', 'two.webp'])
  })

  it('follows aliases and plugins before it, and leaves what is external', async () => {
    await project.write(
      'src/main.js',
      `import a from '@img/one.png?w=30'; import b from 'theirs:two.png'; import c from './out.png'; export { a, b }; export * from './out.png'`,
    )
    const theirs: Plugin = {
      name: 'theirs',
      setup: (build) =>
        build.onResolve({ filter: /^theirs:/ }, ({ path: id }) => ({ path: project.path('src/img', id.slice(7)) })),
    }
    const given = {
      alias: { '@img': './src/img' },
      external: ['./src/out.png'],
      before: [theirs],
      assetNames: '[name]',
    }
    const { files, text } = await bundle(project, { ...given, options: webp })
    expect([...files.keys()]).toEqual(['main.js', 'one-30.webp', 'two.webp'])
    expect(text('main.js')).toContain('out.png"')
  })
})

describe('stylesheets', () => {
  it('takes up url() and image-set(), imported ones too, and keeps fragments', async () => {
    await project.write('src/css/deep.css', `.d { background: url('../img/two.png?w=40') }`)
    await project.write(
      'src/main.css',
      `@import './css/deep.css';
       .a { background: image-set(url(./img/one.png) 1x, url(./img/one.png?w=60) 2x) }
       .b { mask: url(./img/icon.svg#part) }`,
    )
    const { files, text } = await bundle(project, {
      entryPoints: ['src/main.css'],
      options: webp,
      assetNames: '[name]',
    })
    expect([...text('main.css').matchAll(/url\("?([^")]+)/g)].map((match) => match[1])).toEqual([
      './two-40.webp',
      './one.webp',
      './one-60.webp',
      './icon.svg#part',
    ])
    expect(await decode(files.get('two-40.webp')!)).toMatchObject({ width: 40 })
  })
})

describe('declared types', () => {
  it('stay, as the browser chooses by them', async () => {
    await project.write(
      'src/main.css',
      `.a { background: image-set(url(./img/one.png) type("image/png"), url(./img/two.png)) }`,
    )
    const { files } = await bundle(project, { entryPoints: ['src/main.css'], options: webp, assetNames: '[name]' })
    expect([...files.keys()]).toEqual(['main.css', 'one.png', 'two.webp'])
  })
})

describe('what goes wrong', () => {
  it.each([
    ['main.js', `import a from './img/one.png?widht=3'\nconsole.log(a)`, "'widht'"],
    ['main.js', `\nconsole.log(new URL('./img/one.png?widht=3&w=3', import.meta.url))`, "'widht'"],
    ['main.css', `.a { background: url("./img/one.png?w=30;60") }`, 'One image can stand here'],
  ])('fails for bad directives in %s, and names the place', async (file, code, expected) => {
    await project.write(`src/${file}`, code)
    const failure = await bundle(project, { entryPoints: [`src/${file}`] }).catch(
      (error: unknown) => error as BuildFailure,
    )
    expect(failure).toMatchObject({
      errors: [{ text: expect.stringMatching(`src/img/one.png.*${expected}`), location: { file: `src/${file}` } }],
    })
  })

  it('warns of a broken image once, and keeps it', async () => {
    await project.write(
      'src/main.js',
      `import './main.css'; import a from './img/torn.png'; console.log(a, new URL('./img/torn.png', import.meta.url))`,
    )
    await project.write('src/main.css', `.a { background: url("./img/torn.png") }`)
    const { files, result } = await bundle(project, { assetNames: '[name]', options: webp })
    expect(result.warnings.map(({ text }) => text)).toEqual([expect.stringContaining('src/img/torn.png')])
    expect(files.get('torn.png')!.toString()).toBe('not an image')
  })
})
