import { namedError } from '../../base/errors.ts'
import type { PixpressError } from '../../base/errors.ts'
import { codecFault } from '../../base/faults.ts'

/** The packages that work on images, each with a way to load it whole, native part included. */
const CODECS: Readonly<Record<string, () => Promise<unknown>>> = {
  sharp: () => import('sharp'),
  '@napi-rs/image': () => import('@napi-rs/image'),
  svgo: () => import('svgo/browser'),
  '@jsquash/jxl': () => import('@jsquash/jxl/codec/dec/jxl_dec.js'),
}

/** A package that works on images, and why it cannot be loaded. */
export interface LoadedCodec {
  readonly name: string
  readonly fault: PixpressError | undefined
}

/** Loads every package that works on images, each by itself, so that one that fails does not hide another. */
export async function loadCodecs(): Promise<LoadedCodec[]> {
  return Promise.all(
    Object.entries(CODECS).map(async ([name, load]) => ({
      name,
      fault: await load().then(
        () => undefined,
        (error: unknown) => codecFault(error) ?? namedError(error, undefined),
      ),
    })),
  )
}
