import { NODE } from '../node-platform.ts'
import type { ServiceImage } from '../index.ts'

/** Is called once, with an error or with what was asked for. */
export type Callback<T = void> = (error: Error | null, data?: T) => void

/** Gives a promise's end to the callback, where there is one. Nobody catches an error of the callback. */
export function settle<T>(promise: Promise<T>, callback: Callback<T> | undefined): Promise<T> | undefined {
  if (typeof callback !== 'function') return promise
  promise.then(
    (value) => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback, error),
  )
  return undefined
}

/** The service's description of an image. Every method gives a promise, or calls back. */
export class TinifyResultMeta {
  /** The answer to the request, which is under way. */
  protected readonly answer: Promise<ServiceImage>

  constructor(answer: Promise<ServiceImage>) {
    this.answer = answer
    // Who asks for nothing learns of no error, and the process goes on.
    answer.catch(() => undefined)
  }

  /** Pixels; `NaN` where the service does not tell. */
  width(): Promise<number>
  width(callback: Callback<number>): void
  width(callback?: Callback<number>): Promise<number> | undefined {
    return settle(
      this.answer.then(({ width }) => width ?? Number.NaN),
      callback,
    )
  }

  /** Pixels; `NaN` where the service does not tell. */
  height(): Promise<number>
  height(callback: Callback<number>): void
  height(callback?: Callback<number>): Promise<number> | undefined {
    return settle(
      this.answer.then(({ height }) => height ?? Number.NaN),
      callback,
    )
  }

  /** URL of the stored object; `undefined` of an image that was not stored. */
  location(): Promise<string>
  location(callback: Callback<string>): void
  location(callback?: Callback<string>): Promise<string> | undefined {
    return settle(
      this.answer.then(({ location }) => location as string),
      callback,
    )
  }
}

/** An image, and what the service says about it. */
export class TinifyResult extends TinifyResultMeta {
  /** Writes the image. */
  toFile(path: string): Promise<void>
  toFile(path: string, callback: Callback): void
  toFile(path: string, callback?: Callback): Promise<void> | undefined {
    return settle(
      this.answer.then(({ data }) => NODE.writeFile(path, data!)),
      callback,
    )
  }

  /** The image. */
  toBuffer(): Promise<Buffer>
  toBuffer(callback: Callback<Buffer>): void
  toBuffer(callback?: Callback<Buffer>): Promise<Buffer> | undefined {
    return settle(
      this.answer.then(({ data }) => data!),
      callback,
    )
  }

  /** Bytes of the image. */
  size(): Promise<number>
  size(callback: Callback<number>): void
  size(callback?: Callback<number>): Promise<number> | undefined {
    return settle(
      this.answer.then(({ data }) => data!.length),
      callback,
    )
  }

  /** MIME type of the image. */
  mediaType(): Promise<string | void>
  mediaType(callback: Callback<string | void>): void
  mediaType(callback?: Callback<string | void>): Promise<string | void> | undefined {
    return settle<string | void>(
      this.answer.then(({ type }) => type),
      callback,
    )
  }

  /** The same as `mediaType`. */
  contentType(): Promise<string | void>
  contentType(callback: Callback<string | void>): void
  contentType(callback?: Callback<string | void>): Promise<string | void> | undefined {
    return callback === undefined ? this.mediaType() : (this.mediaType(callback) as undefined)
  }

  /** The second half of the MIME type: `jpeg` for `image/jpeg`. */
  extension(): Promise<string | void>
  extension(callback: Callback<string | void>): void
  extension(callback?: Callback<string | void>): Promise<string | void> | undefined {
    return settle<string | void>(
      this.answer.then(({ type }) => type?.split('/')[1]),
      callback,
    )
  }
}
