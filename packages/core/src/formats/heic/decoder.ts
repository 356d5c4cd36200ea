import { createRequire } from 'node:module'
import { HEIC_DECODER } from '../../base/versions.ts'
import type { Size } from '../../resample/size.ts'

/** Decodes the first picture of a file to interleaved RGBA. */
type Decode = (source: { readonly buffer: Uint8Array }) => Promise<Size & { readonly data: Uint8ClampedArray }>

const require = createRequire(import.meta.url)

/** Decodes that are under way, and the console's function that the first of them has put aside. */
const aside: { count: number; log: typeof console.log } = { count: 0, log: console.log }

/**
 * Decodes the picture of a HEIC file, turned upright by the file's own properties.
 * @throws Error if the data is damaged
 */
export async function decodeHeic(source: Uint8Array): Promise<Size & { readonly data: Uint8Array }> {
  // The library prints what it finds wrong to the standard output, where a program reads a report.
  if (aside.count++ === 0) {
    aside.log = console.log
    console.log = () => undefined
  }
  try {
    const { width, height, data } = await (require(HEIC_DECODER) as Decode)({ buffer: source })
    return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
  } finally {
    if (--aside.count === 0) console.log = aside.log
  }
}
