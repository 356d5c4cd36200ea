import type { Report } from '@pixpress/core/report'
import { decode, graphic, photo, naming } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const images: Record<string, Buffer> = {}

beforeAll(async () => {
  images.photo = await photo(200, 150).jpeg(97)
  images.graphic = await graphic(160, 120).png()
})

const compress = (...args: string[]): ReturnType<typeof folder.run> => folder.run(['compress', ...args])
const sizeOf = async (name: string): Promise<number[]> => {
  const { width, height } = await decode(await folder.read(name))
  return [width, height]
}

const report = async (...flags: string[]): Promise<Report['images'][number]> =>
  (JSON.parse((await compress('a.jpg', '--json', ...flags)).stdout) as Report).images[0]!

describe('several widths', () => {
  it('make a result each, none wider than the source', async () => {
    await folder.write({ 'src/a.jpg': images.photo!, 'src/deep/b.png': images.graphic! })
    const { code, stdout, stderr } = await compress('src', '--width', '100,50,300,180', '--out', 'out', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const made = ['out/a-100.jpg', 'out/a-180.jpg', 'out/a-200.jpg', 'out/a-50.jpg']
    const others = ['out/deep/b-100.png', 'out/deep/b-160.png', 'out/deep/b-50.png']
    expect(await folder.files()).toEqual([...made, ...others, 'src/a.jpg', 'src/deep/b.png'])
    expect(await sizeOf('out/a-180.jpg')).toEqual([180, 135])
    expect(await sizeOf('out/a-200.jpg')).toEqual([200, 150])
    expect(await sizeOf('out/deep/b-50.png')).toEqual([50, 38])
    const { images: rows, totals } = JSON.parse(stdout) as Report
    expect(rows.map(({ source, width, output }) => [source, width, output])).toEqual([
      ['src/a.jpg', 50, 'out/a-50.jpg'],
      ['src/a.jpg', 100, 'out/a-100.jpg'],
      ['src/a.jpg', 180, 'out/a-180.jpg'],
      ['src/a.jpg', 200, 'out/a-200.jpg'],
      ['src/deep/b.png', 50, 'out/deep/b-50.png'],
      ['src/deep/b.png', 100, 'out/deep/b-100.png'],
      ['src/deep/b.png', 160, 'out/deep/b-160.png'],
    ])
    expect(totals.before).toBe(images.photo!.length + images.graphic!.length)
    const again = JSON.parse((await compress('src', '--width=50,100', '--out=out', '--json')).stdout) as Report
    expect(again.images.map(({ written }) => written)).toEqual([false, false, false, false])
  })

  it('are joined with other operations', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    expect(
      await compress('a.jpg', '--width', '40,80', '--aspect', '1:1', '--convert', 'webp', '--out', 'out'),
    ).toMatchObject({ code: 0, stderr: '' })
    expect(await folder.files()).toEqual(['a.jpg', 'out/a-40.webp', 'out/a-80.webp'])
    expect(await sizeOf('out/a-40.webp')).toEqual([40, 40])
  })

  it('take no result of an earlier run for a source', async () => {
    await folder.write({ 'img/a.jpg': images.photo! })
    for (let run = 0; run < 2; run++) await compress('img', '--width', '50,100', '--out', 'img')
    expect(await folder.files()).toEqual(['img/a-100.jpg', 'img/a-50.jpg', 'img/a.jpg'])
  })

  it('name a broken source once for each width that its header still tells, and make the others', async () => {
    await folder.write({ 'src/a.jpg': images.photo!, 'src/b.jpg': 'no image' })
    const { code, stdout } = await compress('src', '--width', '50,100', '--out', 'out')
    expect(code).toBe(1)
    expect(stdout).toContain('1 file')
    expect(await folder.files()).toEqual(['out/a-100.jpg', 'out/a-50.jpg', 'out/b.jpg', 'src/a.jpg', 'src/b.jpg'])
  })

  it.each([
    [['--width', '50,100'], 'Several widths need --out, the folder of the results.'],
    [['--width', '50,x', '--out', 'out'], "--width must be a whole number of at least 1; 'x' was given."],
    [['--name', '{name}.{ext}'], '--name needs --out, the folder of the results.'],
    [['--width', '5,9', '--name', '{name}.{ext}', '--out', 'out'], "put {width} into '--name'."],
  ])('%j is refused', async (flags, message) => {
    await folder.write({ 'a.jpg': images.photo! })
    const { code, stderr } = await compress('a.jpg', ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await folder.files()).toEqual(['a.jpg'])
  })
})

describe('--name', () => {
  it('fills every placeholder', async () => {
    await folder.write({ 'a.jpeg': images.photo! })
    const name = 'w{width}/{name}.{from}_{height}.{ext}'
    expect((await compress('a.jpeg', '--convert', 'webp', '--width', '100', '--name', name, '--out', 'o')).code).toBe(0)
    expect(await folder.files()).toEqual(['a.jpeg', 'o/w100/a.jpeg_75.webp'])
  })

  it('refuses two sources of one name before anything is written', async () => {
    await folder.write({ 'src/a.jpg': images.photo!, 'src/a.png': images.graphic! })
    const { code, stderr } = await compress('src', '--convert', 'webp', '--name', '{name}.{ext}', '--out', 'out')
    expect(code).toBe(2)
    expect(stderr).toEqual(naming("'a.webp'", "'--name'"))
    expect(await folder.files()).toEqual(['src/a.jpg', 'src/a.png'])
    expect((await compress('src', '--convert', 'webp', '--name', '{name}.{from}.{ext}', '--out', 'out')).code).toBe(0)
    expect(await folder.files()).toEqual(['out/a.jpg.webp', 'out/a.png.webp', 'src/a.jpg', 'src/a.png'])
  })

  it.each([
    ['{nmae}.{ext}', "Unknown placeholder '{nmae}' in '--name'. Did you mean 'name'?"],
    ['{name}.jpg', "Expected a name with {ext}, as the type of a result decides its extension, for '--name'"],
    ['{name.{ext}', "Expected pairs of braces for '--name'"],
    ['../{name}.{ext}', "Expected a name below the folder of --out, with forward slashes, for '--name'"],
    ['/{name}.{ext}', "Expected a name below the folder of --out, with forward slashes, for '--name'"],
  ])('refuses %s', async (name, message) => {
    await folder.write({ 'a.jpg': images.photo! })
    const { code, stderr } = await compress('a.jpg', '--name', name, '--out', 'out')
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('--min-saving', () => {
  it('replaces only what becomes smaller by that share', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    const { ratio } = await report('--dry-run')
    const percent = (1 - ratio) * 100
    const kept = await report('--min-saving', `${(percent + 0.1).toFixed(2)}%`)
    expect(kept).toMatchObject({ written: false, kept: 'input', ratio: 1, after: images.photo!.length })
    expect(kept).not.toHaveProperty('score')
    expect(await folder.read('a.jpg')).toEqual(images.photo)
    expect(await report('--min-saving', (percent - 0.1).toFixed(2))).toMatchObject({ written: true, ratio })
  })

  it('writes no converted file that saves too little', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    expect((await compress('a.jpg', '--convert', 'webp', '--min-saving', '99')).code).toBe(0)
    expect(await folder.files()).toEqual(['a.jpg'])
  })

  it('is refused with --out, and where it is no share', async () => {
    await folder.write({ 'a.jpg': images.photo! })
    expect((await compress('a.jpg', '--min-saving', '5', '--out', 'o')).stderr).toContain('exclude each other')
    expect((await compress('a.jpg', '--min-saving', '101')).stderr).toContain(
      "percent from 0 to 100 for '--min-saving'",
    )
  })
})

describe('--files-from', () => {
  it.each([
    ['one a line', 'a.jpg\r\nodd [1].jpg\n'],
    ['with NUL between them', 'a.jpg\0odd [1].jpg\0'],
  ])('takes names from standard input and from a file, %s', async (_, list) => {
    for (const source of ['-', 'list.txt']) {
      await folder.write({ 'a.jpg': images.photo!, 'odd [1].jpg': images.photo!, 'c.jpg': images.photo! })
      await folder.write({ 'list.txt': list })
      const stdin = Buffer.from(source === '-' ? list : '')
      expect(await folder.run(['compress', '--files-from', source], { stdin })).toMatchObject({ code: 0, stderr: '' })
      expect((await folder.read('a.jpg')).length).toBeLessThan(images.photo!.length)
      expect((await folder.read('odd [1].jpg')).length).toBeLessThan(images.photo!.length)
      expect(await folder.read('c.jpg')).toEqual(images.photo)
    }
  })

  it('does nothing for an empty list, and refuses a name that is not there', async () => {
    await folder.write({ none: '', one: 'gone [1].jpg\n' })
    expect(await compress('--files-from', 'none')).toMatchObject({ code: 0, stdout: 'pixpress  no images\n' })
    expect(await compress('--files-from', 'one')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'gone [1].jpg'"),
    })
    expect((await compress('--files-from', 'nowhere')).stderr).toEqual(naming("'nowhere'"))
  })
})
