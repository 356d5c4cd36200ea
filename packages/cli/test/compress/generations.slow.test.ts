import path from 'node:path'
import { rm } from 'node:fs/promises'
import { photo } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const GENERATIONS = 5

/** Returns files as other programs write them, with more bytes than the promise needs. */
async function written(width: number, height: number): Promise<Record<string, Buffer>> {
  const picture = photo(width, height)
  const name = (end: string): string => `${width}.${end}`
  return {
    [name('jpg')]: await picture.jpeg(97),
    [name('webp')]: await picture.webp(97),
    [name('avif')]: await picture.avif(90),
    [name('png')]: await picture.png(),
  }
}

it.each([
  ['--quality', '80'],
  ['--quality', '60'],
  ['--effort', 'fast'],
])('five runs in place without a cache lose detail once, with %s %s', async (...flags) => {
  const files = { ...(await written(40, 30)), ...(await written(240, 180)) }
  await folder.write(files)
  const names = Object.keys(files)
  const read = (): Promise<Buffer[]> => Promise.all(names.map((name) => folder.read(name)))
  const run = async (): Promise<void> => {
    await rm(path.join(folder.path, 'node_modules'), { recursive: true, force: true })
    const { code, stderr } = await folder.run(['compress', '.', ...flags])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  await run()
  const first = await read()
  // The first run has to lose something for the others to have something to lose.
  for (const [index, name] of names.entries()) {
    if (name.startsWith('240')) expect(first[index]!.length).toBeLessThan(files[name]!.length * 0.8)
  }
  for (let generation = 2; generation <= GENERATIONS; generation++) {
    await run()
    const now = await read()
    for (const [index, name] of names.entries()) {
      expect([generation, name, Buffer.compare(now[index]!, first[index]!)]).toEqual([generation, name, 0])
    }
  }
})
