import { EXTENSIONS } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { DEFAULT_INCLUDE } from '../../src/core/filter.ts'
import { IMAGE_EXTENSIONS, IMAGE_FILE, IMAGE_ID, IMAGE_URL } from '../../src/core/image-path.ts'

describe('the paths of images', () => {
  it('have the extensions of all types, and all that are included by default', () => {
    for (const extension of Object.values(EXTENSIONS)) expect(IMAGE_EXTENSIONS).toContain(extension)
    for (const extension of ['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'svg']) {
      expect([extension, DEFAULT_INCLUDE.test(`a.${extension}`), IMAGE_FILE.test(`a.${extension}`)]).toEqual([
        extension,
        true,
        true,
      ])
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
  ])('%s', (path, isFile, isId, isUrl) => {
    expect([IMAGE_FILE.test(path), IMAGE_ID.test(path), IMAGE_URL.test(path)]).toEqual([isFile, isId, isUrl])
  })
})
