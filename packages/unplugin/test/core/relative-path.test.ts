import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { relativePath } from '../../src/core/relative-path.ts'

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
