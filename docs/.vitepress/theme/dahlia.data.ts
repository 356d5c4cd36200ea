import { readFile } from 'node:fs/promises'
import { createOptimizer } from '@pixpress/core'

/** Facts of the front page's photograph, before a browser has loaded it. */
interface Facts {
  readonly bytes: number
  readonly size: { readonly width: number; readonly height: number }
}

export declare const data: Facts

/** Read when the site is built. */
export default {
  async load(): Promise<Facts> {
    const optimizer = createOptimizer({ cache: false })
    try {
      const bytes = await readFile(new URL('../../../examples/images/dahlia.jpg', import.meta.url))
      const { width, height } = await optimizer.probe(bytes)
      return { bytes: bytes.length, size: { width, height } }
    } finally {
      await optimizer.close()
    }
  },
}
