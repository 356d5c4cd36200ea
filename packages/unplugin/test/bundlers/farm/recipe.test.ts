import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeRecipe, encodeRecipe } from '../../../src/bundlers/farm/recipe.ts'

const root = path.resolve('/project')

describe('recipes', () => {
  it('come back from bytes, without a path of the machine in them', () => {
    const recipe = { file: path.join(root, 'src', 'ä b.png'), query: '?w=3', index: 2, use: 'icon' } as const
    const bytes = encodeRecipe(root, recipe)
    expect(Buffer.from(bytes).toString()).not.toContain('project')
    expect(decodeRecipe(root, bytes)).toEqual(recipe)
  })

  it.each(['', '\0', 'pixpress {}', '\x89PNG\r\n\0pixpress {}'])('are not seen in %j', (text) => {
    expect(decodeRecipe(root, Buffer.from(text, 'latin1'))).toBeUndefined()
  })
})
