import fs from 'node:fs'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSelection, findInputs } from '../../src/compress/inputs.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

async function find(
  patterns: readonly string[],
  options: Partial<Parameters<typeof findInputs>[1]> = {},
): Promise<string[]> {
  const inputs = await findInputs(patterns, { cwd: folder.path, include: [], exclude: [], out: undefined, ...options })
  return inputs.map(({ file, place }) => `${path.relative(folder.path, file).split(path.sep).join('/')} → ${place}`)
}

beforeEach(() =>
  folder.write({
    'a.png': '',
    'images/b.JPG': '',
    'images/notes.txt': '',
    'images/icons/c.svg': '',
    'images/icons/.d.webp': '',
    'node_modules/x/e.png': '',
    'images/node_modules/f.png': '',
    'images/[id]/g.avif': '',
  }),
)

describe('findInputs', () => {
  it('lists two folders at once at most, and all of them', async () => {
    const places = Array.from({ length: 30 }, (_, at) => `many/${at % 6}/${at}/x.png`)
    await folder.write(Object.fromEntries(places.map((place) => [place, ''])))
    const { readdir } = fs
    let [now, most, all] = [0, 0, 0]
    const counted = (...given: Parameters<typeof readdir>): void => {
      const done = given.pop() as (...answer: unknown[]) => void
      most = Math.max(most, ++now)
      all++
      readdir(...(given as unknown as [string, object]), (...answer: unknown[]) => {
        now--
        done(...answer)
      })
    }
    fs.readdir = counted as typeof readdir
    try {
      expect(await find(['many'])).toHaveLength(30)
    } finally {
      fs.readdir = readdir
    }
    expect([most, all]).toEqual([2, 1 + 6 + 30])
  })

  it('takes every image of a folder, at any depth, but none of other people', async () => {
    expect(await find(['.'])).toEqual([
      'a.png → a.png',
      'images/[id]/g.avif → images/[id]/g.avif',
      'images/b.JPG → images/b.JPG',
      'images/icons/.d.webp → images/icons/.d.webp',
      'images/icons/c.svg → images/icons/c.svg',
    ])
  })

  it('knows images by every extension of every format', async () => {
    await folder.write({ 'odd/a.pjpeg': '', 'odd/b.PJP': '', 'odd/c.jfif': '', 'odd/d.apng': '', 'odd/e.psd': '' })
    expect(await find(['odd'])).toEqual([
      'odd/a.pjpeg → a.pjpeg',
      'odd/b.PJP → b.PJP',
      'odd/c.jfif → c.jfif',
      'odd/d.apng → d.apng',
    ])
  })

  it('places files below the folder, the glob, or by their name', async () => {
    expect(await find(['images/icons'])).toEqual(['images/icons/.d.webp → .d.webp', 'images/icons/c.svg → c.svg'])
    expect(await find(['images/**/*.svg'])).toEqual(['images/icons/c.svg → icons/c.svg'])
    expect(await find(['images/icons/c.svg'])).toEqual(['images/icons/c.svg → c.svg'])
    expect(await find([path.join(folder.path, 'images', '*.jpg')])).toEqual(['images/b.JPG → b.JPG'])
  })

  it('takes a file that is named whatever its name, and a folder whose name looks like a glob', async () => {
    expect(await find(['images/notes.txt'])).toEqual(['images/notes.txt → notes.txt'])
    expect(await find(['images/[id]'])).toEqual(['images/[id]/g.avif → g.avif'])
  })

  it('takes each file once, with its longest place', async () => {
    expect(await find(['a.png', 'a.png'])).toEqual(['a.png → a.png'])
    expect(await find(['images/icons', 'images', 'images/icons/c.svg'])).toContain('images/icons/c.svg → icons/c.svg')
  })

  it('takes what include and exclude leave in folders', async () => {
    expect(await find(['images'], { include: ['**/*.{svg,webp}'], exclude: ['**/.*'] })).toEqual([
      'images/icons/c.svg → icons/c.svg',
    ])
  })

  it('leaves out the results of the run before', async () => {
    expect(await find(['images'], { out: path.join(folder.path, 'images', 'icons') })).toEqual([
      'images/[id]/g.avif → [id]/g.avif',
      'images/b.JPG → b.JPG',
    ])
  })

  it.skipIf(process.platform === 'win32')('does not follow links in circles', async () => {
    await symlink('..', path.join(folder.path, 'images', 'icons', 'up'))
    expect(await find(['images/icons'])).toEqual(['images/icons/.d.webp → .d.webp', 'images/icons/c.svg → c.svg'])
  })

  it.each([
    ['none.png', "There is no file or folder 'none.png'."],
    ['none/*.png', "'none/*.png' matches no file."],
  ])('refuses %s', async (pattern, message) => {
    await expect(find([pattern])).rejects.toThrow(message)
  })
})

describe('createSelection', () => {
  it.each([
    [['.'], ['a.png', 'deep/B.JPG'], ['a.txt', '../a.png', 'node_modules/a.png', 'icons/x.png']],
    [
      ['deep', 'a.png'],
      ['deep/c/d.webp', 'a.png'],
      ['b.png', 'deeper/a.png'],
    ],
    [['deep/*.{png,jpg}'], ['deep/a.png'], ['deep/c/a.png', 'a.png']],
  ])('of %j takes and leaves files that are not there', (patterns, taken, left) => {
    const root = path.resolve('/', 'site')
    const isSelected = createSelection(patterns, { cwd: root, include: [], exclude: ['icons/**'] })
    expect(taken.filter((file) => !isSelected(path.resolve(root, file)))).toEqual([])
    expect(left.filter((file) => isSelected(path.resolve(root, file)))).toEqual([])
  })
})
