import { SourceMap } from 'node:module'
import { createProject, decode, graphic, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLERS, bundle } from './bundle.ts'

let project: Project

beforeAll(async () => {
  project = await createProject('rollup-assets', {
    files: {
      'src/twin.png': await graphic(120, 90).png(),
      'src/twin.jpg': await photo(120, 90).jpeg(),
      'src/other.png': await photo(100, 80, 3).png(),
      'src/a#b.png': await photo(90, 60, 4).png(),
      'src/broken.png': Buffer.from('not an image'),
    },
  })
})

afterAll(() => project.dispose())

const nameOfOther = (files: ReadonlyMap<string, unknown>): string | undefined =>
  [...files.keys()].find((file) => file.startsWith('assets/other'))

describe.each(BUNDLERS)('%s', (bundler) => {
  it('keeps images apart that come to the same name, in the same way every time', async () => {
    await project.write('src/main.js', `import a from './twin.png'; import b from './twin.jpg'; console.log(a, b)`)
    const options = { convert: { type: 'image/webp' } } as const
    const { files, originals } = await bundle(bundler, project, { options, assetFileNames: '[name][extname]' })
    expect([...files.keys()].sort()).toEqual(['main.js', 'twin_jpg.webp', 'twin_png.webp'])
    expect(originals.get('twin_jpg.webp')).toEqual(['src/twin.jpg'])
    expect(Buffer.compare(files.get('twin_jpg.webp') as Buffer, files.get('twin_png.webp') as Buffer)).not.toBe(0)
  })

  it('names an asset by its bytes, and says no path of the machine', async () => {
    await project.write(
      'src/main.js',
      `import a from './other.png'; console.log(a, new URL('./twin.png', import.meta.url))`,
    )
    const high = await bundle(bundler, project, { sourcemap: true })
    const low = await bundle(bundler, project, { options: { resize: { method: 'scale', width: 20 } } })
    expect(nameOfOther(high.files)).not.toBe(nameOfOther(low.files))
    for (const [file, content] of high.files) {
      expect([file, Buffer.from(content).includes(project.root)]).toEqual([file, false])
    }
  })

  it('leaves other plugins the queries that are theirs', async () => {
    await project.write(
      'src/main.js',
      `import a from './other.png?raw'; import b from './twin.png?react'; console.log(a, b)`,
    )
    const theirs = {
      name: 'theirs',
      resolveId: (id: string) => (/\?(?:raw|react)$/.test(id) ? `${project.path('src', id)}` : null),
      load: (id: string) =>
        /\?(?:raw|react)$/.test(id)
          ? { code: `export default ${JSON.stringify(id.replace(/.*\?/, ''))}`, moduleType: 'js' }
          : null,
    }
    const { code, files } = await bundle(bundler, project, { after: [theirs] })
    expect(code).toContain('"raw"')
    expect(code).toContain('"react"')
    expect([...files.keys()]).toEqual(['main.js'])
  })

  it('gives ?original the untouched bytes beside the processed ones, ?inline the processed ones', async () => {
    await project.write(
      'src/main.js',
      `import a from './other.png'; import b from './other.png?original'; import c from './other.png?inline'; console.log(a, b, c)`,
    )
    const { files, code } = await bundle(bundler, project)
    const source = await project.read('src/other.png')
    const assets = [...files]
      .filter(([name]) => name.startsWith('assets/'))
      .map(([, bytes]) => Buffer.from(bytes as Buffer))
    expect(assets).toHaveLength(2)
    const processed = assets.find((bytes) => !bytes.equals(source))!
    expect(assets.some((bytes) => bytes.equals(source))).toBe(true)
    expect(processed.length).toBeLessThan(source.length)
    expect(code).toContain(`data:image/png;base64,${processed.toString('base64')}`)
  })

  it('takes a # for part of a file name', async () => {
    await project.write('src/main.js', `import a from './a#b.png'; import b from './a#b.png?w=30'; console.log(a, b)`)
    const { files } = await bundle(bundler, project)
    const assets = await Promise.all(
      [...files.values()].filter((f) => typeof f !== 'string').map((f) => decode(f as Buffer)),
    )
    expect(assets.map(({ width }) => width).sort((a, b) => a - b)).toEqual([30, 90])
  })

  it('warns of a broken image once, and keeps it', async () => {
    await project.write(
      'src/main.js',
      `import a from './broken.png'; console.log(a, new URL('./broken.png', import.meta.url))`,
    )
    const { files, warnings } = await bundle(bundler, project)
    expect(warnings.filter((warning) => warning.includes('src/broken.png'))).toHaveLength(1)
    const bytes = [...files.values()].find((file) => typeof file !== 'string')
    expect(Buffer.from(bytes as Buffer).toString()).toBe('not an image')
  })

  it.each([
    ['an import', `import a from './other.png?widht=3'; console.log(a)`],
    ['a new URL', `console.log(new URL('./other.png?w=30&widht=3', import.meta.url))`],
  ])('fails for a misspelt directive of %s, naming file and word', async (_, code) => {
    await project.write('src/main.js', code)
    await expect(bundle(bundler, project)).rejects.toThrow(/src\/other\.png.*'widht'/)
  })

  it('refuses directives that give several URLs where there is room for one', async () => {
    await project.write('src/main.js', `console.log(new URL('./other.png?w=30;60', import.meta.url))`)
    await expect(bundle(bundler, project)).rejects.toThrow(/src\/other\.png.*'\?w=30;60'/)
  })

  it('keeps the lines of rewritten code right in source maps', async () => {
    await project.write(
      'src/main.js',
      `const first = 1\nconst url = new URL('./other.png', import.meta.url)\nexport function thrower() { return first + url }\n`,
    )
    const { code, map } = await bundle(bundler, project, { sourcemap: true })
    const lines = code.split('\n')
    const line = lines.findIndex((text) => text.includes('return first'))
    const entry = new SourceMap({ ...map, version: 3, file: '', names: [], sourceRoot: '' } as never).findEntry(
      line,
      lines[line]!.indexOf('return first'),
    )
    expect(entry).toMatchObject({ originalLine: 2, originalSource: expect.stringMatching(/src\/main\.js$/) })
  })
})

describe('rollup', () => {
  it('emits no image whose import is not used', async () => {
    await project.write('src/main.js', `import a from './other.png'; import unused from './twin.png'; console.log(a)`)
    const { files } = await bundle('rollup', project)
    expect([...files.keys()].filter((file) => file.startsWith('assets/twin'))).toEqual([])
    expect([...files.keys()].filter((file) => file.startsWith('assets/other'))).toHaveLength(1)
  })
})
