import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openGeneration } from '../../../src/bundlers/farm/cache-generation.ts'
import type { ImageRequest } from '../../../src/bundlers/farm/cache-generation.ts'
import { openSession } from '../../../src/session/registry.ts'
import type { Session } from '../../../src/session/session.ts'

let root: string
let session: Session
let image: string

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-generation-'))
  session = openSession({ cache: { dir: 'cache' } }, root)
  image = path.join(root, 'a.png')
  await writeFile(image, 'one')
})

afterEach(() => rm(root, { recursive: true, force: true }))

const request = (file: string): ImageRequest => ({ owner: file, file, query: '?w=3', use: 'content' })

async function build(): Promise<string> {
  const generation = await openGeneration(session)
  await generation.record(request(image))
  await generation.save()
  return generation.id
}

describe('a generation', () => {
  it('lasts as long as the images stay as they are, whatever their times', async () => {
    const id = await build()
    expect(await build()).toBe(id)
    await utimes(image, new Date(0), new Date(0))
    expect(await build()).toBe(id)
  })

  it.each([
    ['changed', () => writeFile(image, 'two')],
    ['gone', () => rm(image)],
  ])('ends when an image is %s', async (_, change) => {
    const id = await build()
    await change()
    expect((await openGeneration(session)).id).not.toBe(id)
  })

  it('is replaced when its record is truncated', async () => {
    const id = await build()
    await writeFile(path.join(root, 'cache', 'farm', 'generation.json'), '{"id":')
    expect(await build()).not.toBe(id)
  })

  it('knows the images of all that were at work in it', async () => {
    const id = await build()
    const [first, second] = [await openGeneration(session), await openGeneration(session)]
    await writeFile(path.join(root, 'b.png'), 'other')
    await first.record(request(path.join(root, 'b.png')))
    await first.save()
    await second.save()
    expect((await openGeneration(session)).id).toBe(id)
    await writeFile(path.join(root, 'b.png'), 'changed')
    expect((await openGeneration(session)).id).not.toBe(id)
  })

  it('tells what was asked for earlier, until it is asked for again', async () => {
    await build()
    const generation = await openGeneration(session)
    expect(generation.unseen()).toEqual([request(image)])
    await generation.record(request(image))
    expect(generation.unseen()).toEqual([])
    await writeFile(image, 'two')
    expect((await openGeneration(session)).unseen()).toEqual([])
  })
})
