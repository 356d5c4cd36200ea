/**
 * libjxl as WebAssembly (`@jsquash/jxl`, after Squoosh), on one thread and without SIMD. Its modules are loaded when
 * the first image needs them: a build without JPEG XL pays nothing.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { webAssembly } from '../../quality/metric/webassembly.ts'
import type { WebAssemblyModule } from '../../quality/metric/webassembly.ts'

/** Interleaved 8-bit sRGB with alpha. */
export interface JxlPixels {
  data: Uint8Array
  width: number
  height: number
}

/** The settings of one libjxl encode. */
export interface JxlSettings {
  /** libjxl's effort, 1 to 9. */
  effort: number
  /** libjxl's quality, 0 to 100; `'lossless'` keeps every pixel as it is. */
  quality: number | 'lossless'
}

interface Instance {
  readonly HEAPU8: Uint8Array
}

interface Decoder extends Instance {
  /** Brings every colour profile to sRGB. `null` when the bytes cannot be decoded. */
  decode(data: Uint8Array): { data: Uint8ClampedArray; width: number; height: number } | null
}

interface Encoder extends Instance {
  encode(data: Uint8Array, width: number, height: number, options: object): Uint8Array | null
}

type Factory<T> = (options: {
  noInitialRun: boolean
  print(text: string): void
  printErr(text: string): void
  instantiateWasm(imports: unknown, ready: (instance: unknown) => void): unknown
}) => Promise<T>

/** Modules compiled once; each instance has a memory of its own, which never shrinks. */
interface Codec<T extends Instance> {
  factory: Factory<T>
  module: WebAssemblyModule
  instance: T | undefined
}

/** Memory up to which an instance is kept for the next image. */
const KEPT_BYTES = 64 * 2 ** 20

const ENCODER_DEFAULTS = {
  progressive: false,
  epf: -1,
  lossyPalette: false,
  decodingSpeedTier: 0,
  photonNoiseIso: 0,
  lossyModular: false,
}

const loaded: Codec<Instance>[] = []
let decoder: Promise<Codec<Decoder>> | undefined
let encoder: Promise<Codec<Encoder>> | undefined

/**
 * Decodes the first frame of a JPEG XL image, upright, in sRGB.
 * @throws Error when the bytes cannot be decoded
 */
export async function decodeJxl(data: Uint8Array): Promise<JxlPixels> {
  decoder ??= load<Decoder>('dec', async () => (await import('@jsquash/jxl/codec/dec/jxl_dec.js')).default)
  const decoded = await call(await decoder, (instance) => instance.decode(data))
  if (decoded === null) throw new Error('the data is damaged or truncated')
  const { data: pixels, width, height } = decoded
  return { data: new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length), width, height }
}

/** @throws Error when the encoder runs out of memory: it can address 2 GiB */
export async function encodeJxl(
  { data, width, height }: JxlPixels,
  { effort, quality }: JxlSettings,
): Promise<Uint8Array> {
  encoder ??= load<Encoder>('enc', async () => (await import('@jsquash/jxl/codec/enc/jxl_enc.js')).default)
  const lossless = quality === 'lossless'
  const options = { ...ENCODER_DEFAULTS, effort, quality: lossless ? 100 : quality, lossless }
  const encoded = await call(await encoder, (instance) => instance.encode(data, width, height, options))
  if (encoded === null) throw new Error('the encoder gave no result')
  return encoded
}

/** Lets go of the instances that grew with a large picture, once its work is done. */
export function releaseLargeJxlMemory(): void {
  for (const codec of loaded) {
    if (codec.instance !== undefined && codec.instance.HEAPU8.length > KEPT_BYTES) codec.instance = undefined
  }
}

async function load<T extends Instance>(kind: 'dec' | 'enc', glue: () => Promise<unknown>): Promise<Codec<T>> {
  const file = createRequire(import.meta.url).resolve(`@jsquash/jxl/codec/${kind}/jxl_${kind}.wasm`)
  const [factory, bytes] = await Promise.all([glue(), readFile(file)])
  const codec: Codec<T> = { factory: factory as Factory<T>, module: new webAssembly.Module(bytes), instance: undefined }
  loaded.push(codec as Codec<Instance>)
  return codec
}

/** Calls an instance. One that failed is not used again: stopped in the middle of its work it may be left unsound. */
async function call<T extends Instance, R>(codec: Codec<T>, work: (instance: T) => R | null): Promise<R | null> {
  const instance = (codec.instance ??= await withImageData(() => start(codec)))
  let result: R | null = null
  try {
    result = withImageData(() => work(instance))
  } finally {
    if (result === null) codec.instance = undefined
  }
  return result
}

function start<T extends Instance>({ factory, module }: Codec<T>): Promise<T> {
  return factory({
    noInitialRun: true,
    // The decoder's remarks on damaged files must not reach the terminal of a build.
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, ready) {
      const instance = new webAssembly.Instance(module, imports)
      ready(instance)
      return instance.exports
    },
  })
}

/** The modules hand pixels over in the browser's class, and would leave one of their own in the global scope. */
class ImageData {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}

function withImageData<R>(work: () => R): R {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'ImageData')
  Object.defineProperty(globalThis, 'ImageData', { value: ImageData, configurable: true, writable: true })
  try {
    return work()
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'ImageData')
    else Object.defineProperty(globalThis, 'ImageData', before)
  }
}
