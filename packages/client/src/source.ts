import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type {
  Commands,
  ConvertCommand,
  PreserveItem,
  ResizeCommand,
  StoreCommand,
  TransformCommand,
} from './commands.ts'
import { PixpressClientError } from './base/errors.ts'
import type { CallOptions, Service, ServiceImage, Upload } from './service.ts'

/** A finished image. */
export interface Result {
  /** Pixels, where the service tells. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** Bytes of `data`; absent when the image was stored elsewhere. */
  readonly size: number | undefined
  /** MIME type of `data`; absent when the image was stored elsewhere. */
  readonly type: string | undefined
  /** The file name extension that fits, without the dot: `jpg` for `image/jpeg`. */
  readonly extension: string | undefined
  /** URL of the stored object; absent without `store`. */
  readonly location: string | undefined
  /** The image; absent when it was stored elsewhere. */
  readonly data: Buffer | undefined
  /** Compressions of the account in the current month. */
  readonly compressionCount: number | undefined
}

/**
 * An image and what is to be done to it. Sources do not change: every command gives a new one, of the same upload.
 * Nothing is sent before a result is asked for; the upload is then made once, for all sources that come from it.
 */
export interface Source {
  /** Resizes the image, which counts as one compression. */
  resize(command: ResizeCommand): Source
  /** Converts the image to another type, which counts as one compression. */
  convert(command: ConvertCommand): Source
  /** Fills transparent pixels. */
  transform(command: TransformCommand): Source
  /** Keeps metadata: a list, or one argument each. */
  preserve(...items: readonly (PreserveItem | readonly PreserveItem[])[]): Source
  /** Stores the image elsewhere instead of returning it, which counts as one compression. */
  store(command: StoreCommand): Source
  /** Makes the upload, without asking for the image: sizes and types before and after. One compression. */
  upload(call?: CallOptions): Promise<Upload>
  result(call?: CallOptions): Promise<Result>
  toBuffer(call?: CallOptions): Promise<Buffer>
  /** Writes the image whole or not at all; the folder has to be there. */
  toFile(path: string | URL, call?: CallOptions): Promise<Result>
}

/** Gives the bytes to upload, or the URL that the service is to fetch. */
export type ReadInput = () => Uint8Array | { readonly url: string } | Promise<Uint8Array>

/** Creates a source, which is uploaded once, when its first result is asked for. */
export function createSource(service: Service, read: ReadInput): Source {
  let uploading: Promise<Upload> | undefined

  function upload(call?: CallOptions): Promise<Upload> {
    uploading ??= (async () => service.shrink(await read()))().catch((error: unknown) => {
      // The next one who asks may have more luck.
      uploading = undefined
      throw error
    })
    return untilAborted(uploading, call?.signal)
  }

  function withCommands(commands: Commands): Source {
    const add = (more: Commands): Source => withCommands({ ...commands, ...more })

    async function result(call?: CallOptions): Promise<Result> {
      const { url } = await upload(call)
      return describe(await service.fetchImage(url, commands, call))
    }

    async function image(call?: CallOptions): Promise<Result & { readonly data: Buffer }> {
      if (commands.store !== undefined) {
        throw new PixpressClientError('A stored image is not sent back: ask for the result and its location.')
      }
      const made = await result(call)
      return { ...made, data: made.data! }
    }

    return {
      resize: (command) => add({ resize: command }),
      convert: (command) => add({ convert: command }),
      transform: (command) => add({ transform: command }),
      preserve: (...items) => add({ preserve: items.flat() }),
      store: (command) => add({ store: command }),
      upload,
      result,
      async toBuffer(call) {
        return (await image(call)).data
      },
      async toFile(path, call) {
        const made = await image(call)
        await writeWholeFile(path instanceof URL ? fileURLToPath(path) : path, made.data)
        return made
      },
    }
  }

  return withCommands({})
}

/** The upload belongs to all who wait for it, so one of them who gives up only stops waiting. */
async function untilAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  signal.throwIfAborted()
  let abort!: () => void
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error)
  })
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([shared, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function describe({ data, type, width, height, location, compressionCount }: ServiceImage): Result {
  const extension = type === undefined ? undefined : type === 'image/jpeg' ? 'jpg' : type.split('/')[1]
  return { width, height, size: data?.length, type, extension, location, data, compressionCount }
}

/**
 * Writes a whole file or none: a reader sees the former contents or the new ones, never a part.
 * @throws the file system's error
 */
async function writeWholeFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(temporary, bytes, { flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {
      // The first error says more.
    })
    throw error
  }
}
