import type {
  Commands,
  ConvertCommand,
  PreserveItem,
  ResizeCommand,
  StoreCommand,
  TransformCommand,
} from './commands.ts'
import { PixpressClientError } from './base/errors.ts'
import type { OnProgress } from './base/progress.ts'
import type { ComingBody } from './http/exchange.ts'
import type { Platform } from './platform.ts'
import type {
  CallOptions,
  InnerService,
  OpenServiceImage,
  RequestOptions,
  ServiceImageHead,
  Upload,
} from './service.ts'

/** Facts about an image, known before its bytes are there. */
export interface ResultHead {
  /** Pixels as they are seen, where the service tells. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** EXIF orientation that the file keeps, 2 to 8; absent if it is stored as it is seen. */
  readonly orientation?: number | undefined
  /** Bytes of the image, where they are known; absent when it was stored elsewhere. */
  readonly size: number | undefined
  /** MIME type of the image; absent when it was stored elsewhere. */
  readonly type: string | undefined
  /** The file name extension that fits, without the dot: `jpg` for `image/jpeg`. */
  readonly extension: string | undefined
  /** URL of the stored object; absent without `store`. */
  readonly location: string | undefined
  /** Compressions of the account in the current month. */
  readonly compressionCount: number | undefined
}

/** A finished image. */
export interface ResultOf<Data extends Uint8Array> extends ResultHead {
  /** The image; absent when it was stored elsewhere. */
  readonly data: Data | undefined
}

/** An image that is still coming. */
export interface OpenResult extends ResultHead {
  /** The image as it comes. Whoever does not read it to its end cancels it. */
  readonly body: ReadableStream<Uint8Array>
}

/**
 * An image and what is to be done to it. Sources do not change: every command gives a new one, of the same upload.
 * Nothing is sent before a result is asked for; the upload is then made once, for all sources that come from it.
 */
export interface SourceOf<Data extends Uint8Array> {
  /** Resizes the image, which counts as one compression. */
  resize(command: ResizeCommand): SourceOf<Data>
  /** Converts the image to another type, which counts as one compression. */
  convert(command: ConvertCommand): SourceOf<Data>
  /** Fills transparent pixels. */
  transform(command: TransformCommand): SourceOf<Data>
  /** Keeps metadata: a list, or one argument each. */
  preserve(...items: readonly (PreserveItem | readonly PreserveItem[])[]): SourceOf<Data>
  /** Stores the image elsewhere instead of returning it, which counts as one compression. */
  store(command: StoreCommand): SourceOf<Data>
  /** Makes the upload, without asking for the image: sizes and types before and after. One compression. */
  upload(call?: CallOptions): Promise<Upload>
  result(call?: CallOptions): Promise<ResultOf<Data>>
  toBuffer(call?: CallOptions): Promise<Data>
  /** The image as any platform knows bytes. */
  bytes(call?: CallOptions): Promise<Uint8Array>
  /** The image as a `Blob` of its type. */
  blob(call?: CallOptions): Promise<Blob>
  /**
   * Asks for the image, and gives it as it comes, with what is known about it. It is asked for again only until it
   * begins to come: where it breaks off, reading throws ConnectionError.
   */
  open(call?: CallOptions): Promise<OpenResult>
  /** The image as it comes, which is asked for when it is first read. */
  stream(call?: CallOptions): ReadableStream<Uint8Array>
  /** Writes the image whole or not at all; the folder has to be there. */
  toFile(path: string | URL, call?: CallOptions): Promise<ResultOf<Data>>
}

/** Uploads the image of a source, or knows where it is. */
export type BeginUpload = (call: RequestOptions) => Promise<Upload>

/** The service that a source asks, and the platform of the program. */
export interface SourceContext<Data extends Uint8Array> {
  readonly service: InnerService<Data>
  readonly platform: Platform<Data>
}

/** Creates a source, which is uploaded once, when its first result is asked for. */
export function createSource<Data extends Uint8Array>(
  context: SourceContext<Data>,
  begin: BeginUpload,
): SourceOf<Data> {
  const upload = sharedUpload(begin)
  const withCommands = (commands: Commands): SourceOf<Data> => {
    const add = (more: Commands): SourceOf<Data> => withCommands({ ...commands, ...more })
    return {
      resize: (command) => add({ resize: command }),
      convert: (command) => add({ convert: command }),
      transform: (command) => add({ transform: command }),
      preserve: (...items) => add({ preserve: items.flat() }),
      store: (command) => add({ store: command }),
      upload,
      ...outputsOf(context, upload, commands),
    }
  }
  return withCommands({})
}

type UploadOnce = (call?: CallOptions) => Promise<Upload>

function sharedUpload(begin: BeginUpload): UploadOnce {
  let uploading: Promise<Upload> | undefined
  /** Holds the image until it is uploaded, and no longer. */
  let start: BeginUpload | undefined = begin
  const listeners = new Set<OnProgress>()
  const tellAll: OnProgress = (progress) => {
    for (const listener of listeners) listener(progress)
  }
  return async (call = {}) => {
    const { signal, onProgress } = call
    signal?.throwIfAborted()
    if (onProgress !== undefined) listeners.add(onProgress)
    uploading ??= start!(listeners.size > 0 ? { onProgress: tellAll } : {}).then(
      (upload) => {
        start = undefined
        return upload
      },
      (error: unknown) => {
        // The next one who asks may have more luck.
        uploading = undefined
        throw error
      },
    )
    try {
      return await untilAborted(uploading, signal)
    } finally {
      if (onProgress !== undefined) listeners.delete(onProgress)
    }
  }
}

type Outputs<Data extends Uint8Array> = Pick<
  SourceOf<Data>,
  'result' | 'toBuffer' | 'bytes' | 'blob' | 'open' | 'stream' | 'toFile'
>

/** The ways to get an image. */
function outputsOf<Data extends Uint8Array>(
  { service, platform }: SourceContext<Data>,
  upload: UploadOnce,
  commands: Commands,
): Outputs<Data> {
  async function result(call?: CallOptions): Promise<ResultOf<Data>> {
    const { url } = await upload(call)
    const { data, ...head } = await service.fetchImage(url, commands, call)
    return { ...describe(head, data?.length), data }
  }

  async function image(call?: CallOptions): Promise<ResultOf<Data> & { readonly data: Data }> {
    refuseStored(commands)
    const made = await result(call)
    return { ...made, data: made.data! }
  }

  async function request(call?: CallOptions): Promise<OpenServiceImage> {
    refuseStored(commands)
    const { url } = await upload(call)
    return service.openImage(url, commands, call)
  }

  return {
    result,
    async open(call) {
      const { coming, size, ...head } = await request(call)
      return { ...describe(head, size), body: streamOf(coming) }
    },
    toBuffer: async (call) => (await image(call)).data,
    bytes: async (call) => (await image(call)).data,
    async blob(call) {
      const { data, type } = await image(call)
      return new Blob([data as Uint8Array<ArrayBuffer>], { type: type! })
    },
    stream: (call) => streamOf(async () => (await request(call)).coming),
    async toFile(path, call) {
      const made = await image(call)
      await platform.writeFile(path, made.data)
      return made
    },
  }
}

function refuseStored({ store }: Commands): void {
  if (store === undefined) return
  throw new PixpressClientError('A stored image is not sent back: ask for the result and its location.')
}

/** Makes a web stream that begins when it is first read, and reads no more than it is asked for. */
function streamOf(coming: ComingBody | (() => Promise<ComingBody>)): ReadableStream<Uint8Array> {
  let beginning = typeof coming === 'function' ? undefined : Promise.resolve(coming)
  const begin = (): Promise<ComingBody> => (beginning ??= (coming as () => Promise<ComingBody>)())
  let iterator: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        iterator ??= (await begin()).pieces[Symbol.asyncIterator]()
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await beginning?.then(
          ({ cancel }) => cancel(),
          () => undefined,
        )
      },
    },
    { highWaterMark: 0 },
  )
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

function describe({ type, ...head }: ServiceImageHead, size: number | undefined): ResultHead {
  const extension = type === undefined ? undefined : type === 'image/jpeg' ? 'jpg' : type.split('/')[1]
  return { ...head, size, type, extension }
}
