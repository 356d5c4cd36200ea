import { describe, expect, it } from 'vitest'
import { texturesLine } from '../../../src/session/report/textures-line.ts'
import type { TextureReason } from '../../../src/textures/textures.ts'

const line = (files: Readonly<Record<string, TextureReason>>): string => texturesLine(new Map(Object.entries(files)))

describe('the line about images that stay lossless', () => {
  it('groups them by folder and reason, the largest group first', () => {
    expect(line({ 'public/lut.png': 'name', 'public/tex/a.png': 'model', 'public/tex/b.png': 'model' })).toBe(
      '2 images of public/tex stay lossless, as a model names them; 1 image of public stays lossless, ' +
        'as it is named like a map of data. `overrides` with `lossless` decides otherwise.',
    )
  })

  it('counts what is in too many groups to name', () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((each) => [`public/${each}/a.png`, 'library' as const]))
    expect(line(files)).toContain('; 2 more, of which the JSON report says why.')
  })
})
