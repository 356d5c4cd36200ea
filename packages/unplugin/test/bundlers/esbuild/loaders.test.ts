import type { BuildOptions } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { addImageLoaders } from '../../../src/bundlers/esbuild/loaders.ts'

describe('addImageLoaders', () => {
  it('adds loaders for images, and changes none', () => {
    const options: BuildOptions = { loader: { '.png': 'dataurl', '.txt': 'text' } }
    addImageLoaders(options)
    expect(options.loader).toMatchObject({ '.png': 'dataurl', '.webp': 'file', '.avif': 'file', '.txt': 'text' })
  })

  it.each([
    ['src/a.png', 'dataurl'],
    ['src/a.PNG', 'file'],
    ['src/a.jpg', 'file'],
    ['src/a.icon.svg', 'text'],
    ['src/a.svg', undefined],
    ['src/a.gif', undefined],
  ])('%s goes through %s', (file, expected) => {
    const loaderOf = addImageLoaders({
      loader: { '.png': 'dataurl', '.icon.svg': 'text', '.svg': 'jsx', '.gif': 'empty' },
    })
    expect(loaderOf(file)).toBe(expected)
  })
})
