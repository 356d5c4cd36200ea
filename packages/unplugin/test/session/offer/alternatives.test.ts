import { createHash } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import { afterEach, expect, it } from 'vitest'
import { createAlternatives } from '../../../src/session/offer/alternatives.ts'
import type { SavedRecipe } from '../../../src/session/offer/saved-recipes.ts'
import type { FinishedImage } from '../../../src/session/plan/images.ts'

let dispose: (() => Promise<void>) | undefined
afterEach(() => dispose?.())

async function start(
  isWanted = true,
  most?: number,
): Promise<{ open: () => ReturnType<typeof createAlternatives>; made: SavedRecipe[]; folder: string }> {
  const project = await createProject('alternatives', { files: { 'a.png': 'a' } })
  dispose = () => project.dispose()
  const made: SavedRecipe[] = []
  const open = (): ReturnType<typeof createAlternatives> =>
    createAlternatives(
      { isWanted, folder: project.path('own'), root: project.root, most },
      {
        own(recipe) {
          made.push(recipe)
          return Promise.resolve({ data: Buffer.from('result') } as unknown as FinishedImage)
        },
        others: (_, own) => Promise.resolve({ own, others: [] }),
        alone(recipe) {
          made.push(recipe)
          return Promise.resolve({ data: Buffer.from('alone') } as unknown as FinishedImage)
        },
      },
    )
  return { open, made, folder: project.path('own') }
}

const RECIPE: SavedRecipe = { id: 'x', file: '/project/a.png', use: 'beside' }
const warn = (): void => undefined

const nameOf = (text: string): string => `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`

it('finds an image of the output by its bytes, once', async () => {
  const { open, made } = await start()
  const alternatives = open()
  alternatives.add(RECIPE, Buffer.from('result'))
  const [first, second] = await Promise.all([1, 2].map(() => alternatives.of(Buffer.from('result'), warn)))
  expect(first).toBeDefined()
  expect(second).toBe(first)
  expect(made).toEqual([RECIPE])
  expect(await alternatives.of(Buffer.from('another'), warn)).toBeUndefined()
})

it('makes an image of the output again for a place where it stands alone', async () => {
  const { open, made } = await start()
  const alternatives = open()
  alternatives.add(RECIPE, Buffer.from('result'))
  expect((await alternatives.alone(Buffer.from('result'), warn))?.data.toString()).toBe('alone')
  expect(await alternatives.alone(Buffer.from('another'), warn)).toBeUndefined()
  expect(made).toEqual([RECIPE])
})

it('finds what an earlier run has made, as bundlers answer from caches of their own', async () => {
  const { open, made } = await start()
  open().add(RECIPE, Buffer.from('result'))
  const later = open()
  expect(await later.idOf(Buffer.from('result'))).toBe('x')
  expect(await later.of(Buffer.from('result'), warn)).toBeDefined()
  expect(made).toEqual([RECIPE])
})

it('offers nothing for a recipe that makes other bytes by now', async () => {
  const { open } = await start()
  const alternatives = open()
  alternatives.add(RECIPE, Buffer.from('older'))
  expect(await alternatives.of(Buffer.from('older'), warn)).toBeUndefined()
})

it('forgets what was used least recently, and nothing of the last two hours', async () => {
  const { open, folder } = await start(true, 2)
  const alternatives = open()
  for (const text of ['oldest', 'older', 'new']) alternatives.add(RECIPE, Buffer.from(text))
  const hoursAgo = async (file: string, hours: number): Promise<void> => {
    const used = new Date(Date.now() - hours * 3_600_000)
    await utimes(path.join(folder, file), used, used)
  }
  await hoursAgo(nameOf('oldest'), 9)
  await hoursAgo(nameOf('older'), 8)
  // Asked for by a later run, it is the younger of the two.
  expect(await open().idOf(Buffer.from('oldest'))).toBe('x')
  await alternatives.sweep()
  expect((await readdir(folder)).toSorted()).toEqual([nameOf('oldest'), nameOf('new')].toSorted())
  alternatives.add(RECIPE, Buffer.from('newest'))
  await alternatives.sweep()
  expect(await readdir(folder)).toHaveLength(3)
})

it('does nothing where nothing is wanted', async () => {
  const { open, made } = await start(false)
  const alternatives = open()
  alternatives.add(RECIPE, Buffer.from('result'))
  expect([await alternatives.of(Buffer.from('result'), warn), await alternatives.idOf(Buffer.from('result'))]).toEqual([
    undefined,
    undefined,
  ])
  expect(made).toEqual([])
})
