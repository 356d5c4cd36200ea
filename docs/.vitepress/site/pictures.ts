import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'

/** Pixels of a picture. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Reads the sizes of all pictures below `docs/images`, by their paths relative to `docs`. */
export async function sizesOfPictures(docs: string): Promise<ReadonlyMap<string, Size>> {
  const optimizer = createOptimizer({ cache: false })
  try {
    const names = await readdir(path.join(docs, 'images'), { recursive: true, encoding: 'utf8' })
    const pictures = names.filter((name) => /\.(?:webp|png|jpg|avif)$/.test(name))
    const sizes = pictures.map(async (name): Promise<[string, Size]> => {
      const { width, height } = await optimizer.probe(await readFile(path.join(docs, 'images', name)))
      return [path.posix.join('images', name.split(path.sep).join('/')), { width, height }]
    })
    return new Map(await Promise.all(sizes))
  } finally {
    await optimizer.close()
  }
}
