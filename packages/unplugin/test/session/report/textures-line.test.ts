import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { texturesLine } from '../../../src/session/report/textures-line.ts'
import type { TextureReason } from '../../../src/textures/textures.ts'

const line = (files: Readonly<Record<string, TextureReason>>): string => texturesLine(new Map(Object.entries(files)))

describe('the line about images that stay lossless', () => {
  it('groups them by folder and reason, the largest group first', () => {
    expect(line({ 'public/lut.png': 'name', 'public/tex/a.png': 'model', 'public/tex/b.png': 'model' })).toEqual(
      naming('2 images', 'public/tex', '1 image', '`overrides`', '`lossless`'),
    )
  })

  it('counts what is in too many groups to name', () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((each) => [`public/${each}/a.png`, 'library' as const]))
    expect(line(files)).toEqual(naming('2', 'JSON'))
  })
})
