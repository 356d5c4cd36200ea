import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFilter, type FilterPattern } from '../../../src/session/plan/filter.ts'

const root = path.resolve('/', 'work space', 'site')
const inRoot = (file: string): string => path.join(root, file)

describe('createFilter', () => {
  it.each([
    'a.jpg',
    'a.jpeg',
    'a.PNG',
    'src/a.webp',
    'src/.hidden/a.avif',
    'a.gif',
    'a.svg',
    'a.jxl',
    'a.jfif',
    'a.jpe',
    'a.pjpeg',
    'a.PJP',
    'a.apng',
    '../shared/a.png',
  ])('takes %s by default', (file) => {
    expect(createFilter({ root })(inRoot(file))).toBe(true)
  })
  it.each(['a.txt', 'png', 'a.png.js', 'a.ico', '\0virtual.png'])('leaves %j by default', (file) => {
    expect(createFilter({ root })(file)).toBe(false)
  })

  it.each<[FilterPattern, string, boolean]>([
    ['src/**', 'src/a.png', true],
    ['src/**', 'src/b/.c/.a.png', true],
    ['src/**', 'lib/src/a.png', false],
    ['src/**', '../src/a.png', false],
    ['./src/*.png', 'src/a.png', true],
    ['**/*.png', 'a.png', true],
    ['**/*.png', '../x/y/a.png', true],
    ['**/*.png', '../../a.png', true],
    ['**/site/**', 'a.png', false],
    ['../shared/*.png', '../shared/a.png', true],
    ['*.{png,jpg}', 'a.jpg', true],
    [/^src\/.*\.png$/, 'src/a.png', true],
    [/^src\//, 'lib/src/a.png', false],
    [/^\.\.\//, '../a.png', true],
    [['lib/**', /\.gif$/], 'a.gif', true],
    [['lib/**', /\.gif$/], 'lib/a.png', true],
    [['lib/**', /\.gif$/], 'a.png', false],
    [[], 'a.png', false],
  ])('include %s of %s is %s', (include, file, expected) => {
    expect(createFilter({ include, root })(inRoot(file))).toBe(expected)
    expect(createFilter({ include: /./, exclude: include, root })(inRoot(file))).toBe(!expected)
  })

  it('does not depend on where the last match of a global expression ended', () => {
    for (const include of [/\.png$/g, /a\.png/y]) {
      const filter = createFilter({ include, root })
      expect([1, 2, 3].map(() => filter(inRoot('a.png')))).toEqual([true, true, true])
    }
  })
  it('takes paths relative to the root', () => {
    const filter = createFilter({ include: 'src/**', root })
    expect(filter('src/a.png')).toBe(true)
    expect(filter('src/../a.png')).toBe(false)
  })
  it.each([path.join('node_modules', '.cache', 'pixpress'), inRoot('node_modules/.cache/pixpress')])(
    'leaves the cache folder %s',
    (cacheDir) => {
      const filter = createFilter({ include: '**', root, cacheDir })
      expect(filter(inRoot('node_modules/.cache/pixpress/ab/a.png'))).toBe(false)
      expect(filter(inRoot('node_modules/.cache/pixpress-other/a.png'))).toBe(true)
      expect(filter(inRoot('node_modules/.cache/..pixpress/a.png'))).toBe(true)
      expect(filter(inRoot('a.png'))).toBe(true)
    },
  )
  it('keeps files outside a cache folder whose names begin with dots apart from those of its parent', () => {
    expect(createFilter({ root, cacheDir: 'cache' })(inRoot('cache/..a/b.png'))).toBe(false)
  })
})
