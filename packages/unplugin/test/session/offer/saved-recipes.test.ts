import { mkdtemp, rm, stat, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRecipes, outputDigest } from '../../../src/session/offer/saved-recipes.ts'
import type { SavedRecipe } from '../../../src/session/offer/saved-recipes.ts'

const MINUTE = 60_000

describe('the recipe of an image of an earlier run', () => {
  let root: string
  let file: string
  const digest = outputDigest(Buffer.from('image'))
  const recipe = (id: string): SavedRecipe => ({ id, file: path.join(root, 'a.png'), use: 'beside' })
  const add = (id: string): boolean => openRecipes({ folder: path.join(root, 'own'), root }).add(recipe(id), digest)
  const modified = async (): Promise<number> => (await stat(file)).mtimeMs

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-recipes-'))
    file = path.join(root, 'own', `${digest}.json`)
    add('1')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  async function age(minutes: number): Promise<number> {
    const time = new Date(Date.now() - minutes * MINUTE)
    await utimes(file, time, time)
    return modified()
  }

  it('is not written again, but noted as used once in an hour', async () => {
    const before = await age(30)
    expect(add('1')).toBe(true)
    expect(await modified()).toBe(before)
    const longBefore = await age(90)
    add('1')
    expect(await modified()).toBeGreaterThan(longBefore)
  })

  it('is written where it has become another', async () => {
    const before = await age(30)
    add('2')
    expect(await modified()).toBeGreaterThan(before)
    const found = await openRecipes({ folder: path.join(root, 'own'), root }).find(digest)
    expect(found).toEqual(recipe('2'))
  })
})
