import { describe, expect, it } from 'vitest'
import { changeManifest } from '../../src/project/manifest.ts'
import { TOOLS } from '../../src/tools/tools.ts'

describe('changeManifest', () => {
  it('leaves a manifest that is no JSON to a person, if it names the tool', () => {
    expect(changeManifest('{ "vite-imagetools": ', TOOLS.imagetools, '^1.0.0')).toEqual({
      text: undefined,
      others: [],
    })
    expect(changeManifest('{', TOOLS.imagetools, '^1.0.0')).toBeUndefined()
  })
})
