import { createProject, decode, graphic, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

const webp = { convert: { type: 'image/webp' } } as const
let project: Project

beforeAll(async () => {
  project = await createProject('esbuild-assets', {
    files: {
      'src/img/twin.png': await graphic(120, 90).png(),
      'src/img/twin.jpg': await photo(120, 90).jpeg(),
      'src/img/other.png': await photo(100, 80, 3).png(),
      'src/img/icon.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><!-- long remark --><path d="M0 0h8v8z"/></svg>',
    },
  })
})

afterAll(() => project.dispose())

const main = (code: string): Promise<void> => project.write('src/main.js', code)

describe('names', () => {
  it('fills [dir], [name] and [ext] from the source and the result', async () => {
    await main(`import a from './img/other.png'; console.log(a)`)
    const { files, text } = await bundle(project, { assetNames: 'static/[dir]/[name]', options: webp })
    expect([...files.keys()]).toEqual(['main.js', 'static/img/other.webp'])
    expect(text('main.js')).toContain('"./static/img/other.webp"')
    expect(await decode(files.get('static/img/other.webp')!)).toMatchObject({ type: 'webp', width: 100 })
  })

  it('keeps apart what would have one name', async () => {
    await main(`
      import a from './img/twin.png'; import b from './img/twin.jpg'; import c from './img/other.png'
      import d from './img/other.png?original'; import e from './img/other.png?w=50'
      import f from './img/other.png?w=50&quality=small'; import g from './img/other.png?w=50&h=50&fit=cover'
      console.log(a, b, c, d, e, f, g)`)
    const { files } = await bundle(project, { assetNames: '[name]', options: webp })
    const names = [...files.keys()].filter((file) => file !== 'main.js')
    const id = expect.stringMatching(/^other-50-[\da-f]{8}\.webp$/)
    expect(names).toEqual([
      id,
      id,
      'other-50.webp',
      'other.original.png',
      'other.webp',
      'twin_jpg.webp',
      'twin_png.webp',
    ])
    expect(files.get('other.original.png')!.equals(await project.read('src/img/other.png'))).toBe(true)
    const heights = await Promise.all(names.slice(0, 3).map(async (name) => (await decode(files.get(name)!)).height))
    expect(heights.sort()).toEqual([40, 40, 50])
  })

  it('lists images by paths of the project, and says no path of the machine', async () => {
    await main(`
      import a from './img/other.png?w=20;40&as=srcset'; import b from './img/other.png?inline'
      console.log(a, b, new URL('./img/twin.png', import.meta.url).href)`)
    const { files, result } = await bundle(project, { metafile: true, sourcemap: true })
    expect(Object.keys(result.metafile!.inputs).sort()).toEqual([
      'pixpress-inline:src/img/other.png',
      'pixpress:src/img/other.png?w=20;40&as=srcset',
      'src/img/other-20.png',
      'src/img/other-40.png',
      'src/img/twin.png',
      'src/main.js',
    ])
    for (const [file, bytes] of files) expect([file, bytes.includes(project.root)]).toEqual([file, false])
    expect(JSON.stringify(result.metafile)).not.toContain(project.root)
  })
})

describe('loaders', () => {
  const imported = `import a from './img/other.png'; console.log(a)`

  it('goes by the loader of the source, whatever it becomes', async () => {
    await main(imported)
    const output = await bundle(project, { loader: { '.png': 'dataurl', '.webp': 'file' }, options: webp })
    expect([...output.files.keys()]).toEqual(['main.js'])
    const [, data] = /data:image\/webp;base64,([^"]+)/.exec(output.text('main.js'))!
    expect(await decode(Buffer.from(data!, 'base64'))).toMatchObject({ type: 'webp', width: 100 })
  })

  it.each(['base64', 'binary'] as const)('gives %s of the processed bytes', async (loader) => {
    await main(`import a from './img/other.png'; export default a`)
    const { text } = await bundle(project, { loader: { '.png': loader } })
    const [, data] = /"([\w+/=]{500,})"/.exec(text('main.js'))!
    const bytes = Buffer.from(data!, 'base64')
    expect(await decode(bytes)).toMatchObject({ type: 'png', width: 100 })
    expect(bytes.length).toBeLessThan((await project.read('src/img/other.png')).length)
  })

  it('copies with `copy`, and keeps the import', async () => {
    await main(imported)
    const { files, text } = await bundle(project, { loader: { '.png': 'copy' }, assetNames: '[name]', options: webp })
    expect([...files.keys()]).toEqual(['main.js', 'other.webp'])
    expect(text('main.js')).toMatch(/import \w+ from "\.\/other\.webp"/)
  })

  it('gives the text of an optimised SVG', async () => {
    await main(`import a from './img/icon.svg'; console.log(a)`)
    const { text } = await bundle(project, { loader: { '.svg': 'text' } })
    expect(text('main.js')).toMatch(/<svg[^]*<path/)
    expect(text('main.js')).not.toContain('long remark')
  })

  it('leaves a file alone whose loader is none for images, or is asked for by the import', async () => {
    await main(
      `import a from './img/other.png'; import b from './img/twin.png' with { type: 'bytes' }; console.log(a, b)`,
    )
    const { files, text } = await bundle(project, { loader: { '.png': 'empty' } })
    expect([...files.keys()]).toEqual(['main.js'])
    expect(text('main.js')).toContain((await project.read('src/img/twin.png')).toString('base64').slice(0, 400))
  })

  it('leaves an import alone whose attribute names a loader, where others become files', async () => {
    await project.write('src/lib.js', `console.log(new URL('./img/twin.png', import.meta.url))`)
    await main(`
      import a from './img/twin.png' with { type: 'bytes' }; import b from './lib.js' with { type: 'bytes' }
      console.log(a, b)`)
    const { files, text } = await bundle(project, { loader: { '.png': 'file' } })
    expect([...files.keys()]).toEqual(['main.js'])
    for (const file of ['src/img/twin.png', 'src/lib.js'])
      expect(text('main.js')).toContain((await project.read(file)).toString('base64').slice(0, 400))
  })

  it('makes files of what needs a URL, and of ?no-inline', async () => {
    await main(`
      import a from './img/other.png?no-inline'; import b from './img/other.png?w=20;40&as=srcset'
      console.log(a, b, new URL('./img/twin.png', import.meta.url).href)`)
    const { files, text } = await bundle(project, { loader: { '.png': 'binary' }, assetNames: '[name]' })
    expect([...files.keys()]).toEqual(['main.js', 'other-20.png', 'other-40.png', 'other.png', 'twin.png'])
    expect(text('main.js')).not.toContain('toBinary')
  })

  it('takes an image for an entry', async () => {
    const { files } = await bundle(project, {
      entryPoints: ['src/img/other.png'],
      loader: { '.png': 'copy' },
      outbase: 'src',
      options: webp,
    })
    expect([...files.keys()]).toEqual(['img/other.webp'])
  })

  it('does nothing without bundling', async () => {
    await main(imported)
    const { files, text } = await bundle(project, { bundle: false })
    expect([...files.keys()]).toEqual(['main.js'])
    expect(text('main.js')).toContain('"./img/other.png"')
  })
})
