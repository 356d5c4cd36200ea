import path from 'node:path'
import { rm } from 'node:fs/promises'
import { photo } from '@pixpress/testkit'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const GENERATIONS = 5

/** What other programs have written, with more bytes than the promise needs. */
async function written(width: number, height: number): Promise<Record<string, Buffer>> {
  const picture = sharp(await photo(width, height).png())
  const name = (end: string): string => `${width}.${end}`
  return {
    [name('jpg')]: await picture.jpeg({ quality: 97 }).toBuffer(),
    [name('webp')]: await picture.webp({ quality: 97 }).toBuffer(),
    [name('avif')]: await picture.avif({ quality: 90, effort: 1 }).toBuffer(),
    [name('png')]: await picture.png({ palette: true, dither: 0 }).toBuffer(),
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
  for (const [index, name] of names.entries()) expect(first[index]!.length).toBeLessThan(files[name]!.length)
  for (let generation = 2; generation <= GENERATIONS; generation++) {
    await run()
    const now = await read()
    for (const [index, name] of names.entries()) {
      expect([generation, name, Buffer.compare(now[index]!, first[index]!)]).toEqual([generation, name, 0])
    }
  }
})
