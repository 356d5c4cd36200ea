import { readFile } from 'node:fs/promises'
import type { Commands, Upload } from '../index.ts'
import { account } from './account.ts'
import type { TinifyClient } from './account.ts'
import { TinifyResult, TinifyResultMeta } from './result.ts'
import type { Callback } from './result.ts'

/** An upload, which is under way, and the client that makes it. */
interface Uploading {
  readonly client: TinifyClient
  readonly upload: Upload
}

/** Types that images can be converted to. */
export type SupportedImageTypes = 'image/webp' | 'image/png' | 'image/jpg' | 'image/jpeg' | 'image/jxl' | 'image/avif'

/** A type, or the smallest of all. */
export type WildcardOrSupportedImageTypes = SupportedImageTypes | '*/*'

/** The options of `convert`. */
export interface ConvertOptions {
  type: WildcardOrSupportedImageTypes | WildcardOrSupportedImageTypes[]
}

/** An image that is being uploaded, and what is to be done to it. The first of two equal commands holds. */
export class TinifySource {
  readonly #uploading: Promise<Uploading>
  readonly #commands: Commands

  constructor(uploading: Promise<Uploading>, commands: Commands = {}) {
    this.#uploading = uploading
    this.#commands = commands
    // Who asks for no result learns of no error, and the process goes on.
    uploading.catch(() => undefined)
  }

  /** Reads and uploads a file, at once. */
  static fromFile(path: string): TinifySource {
    return new TinifySource(readFile(path).then((data) => uploaded(account.client, data)))
  }

  /** Uploads bytes, or a text's bytes, at once. @throws AccountError without a key */
  static fromBuffer(data: string | Uint8Array): TinifySource {
    const { client } = account
    return new TinifySource(uploaded(client, typeof data === 'string' ? Buffer.from(data) : data))
  }

  /** Has the service fetch an image, at once. @throws AccountError without a key */
  static fromUrl(url: string): TinifySource {
    return new TinifySource(uploaded(account.client, { url }))
  }

  /** Keeps metadata: a list, or one argument each. */
  preserve(options: string[]): TinifySource
  preserve(...options: string[]): TinifySource
  preserve(...options: (string | string[])[]): TinifySource {
    return this.#with({ preserve: Array.isArray(options[0]) ? options[0] : options })
  }

  /** Resizes the image. */
  resize(options: object): TinifySource {
    return this.#with({ resize: options })
  }

  /** Converts the image to another type. */
  convert(options: ConvertOptions): TinifySource {
    return this.#with({ convert: options })
  }

  /** Fills transparent pixels. */
  transform(options: object): TinifySource {
    return this.#with({ transform: options })
  }

  /** Stores the image elsewhere, at once. */
  store(options: object): TinifyResultMeta {
    return new TinifyResultMeta(this.#with({ store: options }).#fetch())
  }

  /** Asks for the image, at once. */
  result(): TinifyResult {
    return new TinifyResult(this.#fetch())
  }

  /** Asks for the image and writes it. */
  toFile(path: string): Promise<void>
  toFile(path: string, callback: Callback): void
  toFile(path: string, callback?: Callback): Promise<void> | undefined {
    const result = this.result()
    return callback === undefined ? result.toFile(path) : (result.toFile(path, callback) as undefined)
  }

  /** Asks for the image. */
  toBuffer(): Promise<Buffer>
  toBuffer(callback: Callback<Buffer>): void
  toBuffer(callback?: Callback<Buffer>): Promise<Buffer> | undefined {
    const result = this.result()
    return callback === undefined ? result.toBuffer() : (result.toBuffer(callback) as undefined)
  }

  // The service judges the commands: programs may know more than this client.
  #with(command: object): TinifySource {
    return new TinifySource(this.#uploading, { ...command, ...this.#commands })
  }

  async #fetch(): ReturnType<TinifyClient['calls']['fetchImage']> {
    const { client, upload } = await this.#uploading
    return client.calls.fetchImage(upload.url, this.#commands)
  }
}

async function uploaded(client: TinifyClient, image: Uint8Array | { url: string }): Promise<Uploading> {
  return { client, upload: await client.calls.shrink(image) }
}
