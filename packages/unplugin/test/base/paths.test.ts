import path from 'node:path'
import { IMAGE_EXTENSIONS } from '@pixpress/core/internal'
import { describe, expect, it } from 'vitest'
import { DEFAULT_INCLUDE } from '../../src/session/plan/filter.ts'
import { IMAGE_FILE, IMAGE_ID, IMAGE_URL, relativePath, relativeUrl } from '../../src/base/paths.ts'

describe('relativePath', () => {
  const root = path.resolve('/project')
  it.each([
    ['a.png'],
    ['src/deep/a.png'],
    ['src/.hidden/a.png'],
    ['src/..a/a..png'],
    ['src/../a.png'],
    ['src/./a.png'],
    ['src//a.png'],
    ['../other/a.png'],
    ['../project-two/a.png'],
    ['src/..'],
    ['src/'],
    [''],
  ])('is what node:path says of %j, with forward slashes', (rest) => {
    const file = root + path.sep + rest.split('/').join(path.sep)
    expect(relativePath(root, file)).toBe(path.relative(root, file).split(path.sep).join('/'))
  })

  it('of the folder itself is empty, and of a folder with a longer name goes up', () => {
    expect(relativePath(root, root)).toBe('')
    expect(relativePath(root, `${root}-two${path.sep}a.png`)).toBe('../project-two/a.png')
  })
})

describe('the paths of images', () => {
  it.each(IMAGE_EXTENSIONS)('are those that end with .%s, which is included by default', (extension) => {
    for (const name of [`a.${extension}`, `a.${extension.toUpperCase()}`]) {
      expect([name, DEFAULT_INCLUDE.test(name), IMAGE_FILE.test(name)]).toEqual([name, true, true])
    }
  })

  it.each([
    ['a.png', true, true, true],
    ['a.JPEG', true, true, true],
    ['a.png?w=3', false, true, true],
    ['a.svg#part', false, false, true],
    ['a.svg?w=3#part', false, true, true],
    ['a.png.js', false, false, false],
    ['apng', false, false, false],
  ])('%s is told by its end', (file, isFile, isId, isUrl) => {
    expect([IMAGE_FILE.test(file), IMAGE_ID.test(file), IMAGE_URL.test(file)]).toEqual([isFile, isId, isUrl])
  })
})

describe('relativeUrl', () => {
  it.each([
    ['src/a b.png', './a%20b.png'],
    ['a.png', '../a.png'],
    ['src/deep/ä.png', './deep/%C3%A4.png'],
  ])('of %s from src is %s', (file, expected) => {
    expect(relativeUrl(path.resolve('/project/src'), path.resolve('/project', file))).toBe(expected)
  })
})
