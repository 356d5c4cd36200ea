import { namedError } from '../base/errors.ts'
import type { PixpressError } from '../base/errors.ts'
import { codecFault } from '../base/faults.ts'
import { CODEC_RANGES, installedPackage, requireFitting } from '../base/versions.ts'

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

/**
 * Loads every package that works on images, each by itself, so that one that fails does not hide another. A version
 * that does not fit is not loaded.
 */
export const loadCodecs = (): Promise<LoadedCodec[]> =>
  Promise.all(Object.values(CODEC_RANGES).map(async ([name, range]) => ({ name, fault: await faultOf(name, range) })))

let required: Promise<void> | undefined

/**
 * Loads the packages with a native part, before a module of ours that imports them: where one throws inside of another
 * module, Node 20 ends the process, although the import is caught.
 * @throws PixpressError `MACHINE_UNFIT`
 */
export function requireCodecs(): Promise<void> {
  required ??= (async () => {
    for (const key of ['sharp', 'png'] as const) {
      const fault = await faultOf(...CODEC_RANGES[key]!)
      if (fault !== undefined) throw fault
    }
  })()
  return required
}

async function faultOf(name: string, range: string): Promise<PixpressError | undefined> {
  try {
    requireFitting([installedPackage(name, range)])
    await CODECS[name]!()
    return undefined
  } catch (error) {
    return codecFault(error) ?? namedError(error, undefined)
  }
}
