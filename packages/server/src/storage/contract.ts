/**
 * The server's storage, in small interfaces: keys, counts, rate limit, records of outputs, and their bytes. One machine
 * keeps them in SQLite and files (local/); many machines share Redis and an S3 bucket (shared/).
 *
 * Every method may reject with `BackendUnavailableError`: the request is then answered with 503, and nothing has been
 * counted that the client does not know of, except for an answer that was lost on its way.
 */

import type { KeyStore } from './key-store.ts'
import type { RateLimiter } from './rate.ts'

export type { KeyChanges, KeyOperation, KeyPage, KeyStore, KeyTerms, StoredKey } from './key-store.ts'
export type { RateDecision, RateLimiter, RateSettings } from './rate.ts'

/** A calendar month in UTC, of the form `2026-11`. */
export type Month = string

/** The result of an attempt to count. */
export interface Counted {
  /** `false` when the limit would have been exceeded: nothing was added then. */
  readonly counted: boolean
  /** Compressions of the account in the month, after the attempt. */
  readonly count: number
}

/** The use of an account in a month, or by one request. */
export interface Usage {
  /** Compressions that count. */
  readonly compressions: number
  /** Bytes of the images that were uploaded or fetched. */
  readonly bytesIn: number
  /** Bytes of their compressed images. Those of later operations on an output are in neither. */
  readonly bytesOut: number
}

/** Compressions and bytes per account and month. */
export interface CompressionCounts {
  /**
   * Adds what was used, all or nothing: nothing where its compressions would take the count over `limit`. Atomic over
   * all processes that share the backend, and durable before it resolves: an acknowledged count survives a crash.
   * @param used with at least 1 compression
   * @param limit compressions per month; `Infinity` for no limit
   */
  increment(account: string, month: Month, used: Usage, limit: number): Promise<Counted>
  /** The compressions so far; 0 when there are none. */
  read(account: string, month: Month): Promise<number>
  /** Everything that was used so far; zeros when there is nothing. */
  usage(account: string, month: Month): Promise<Usage>
}

/** The record of one output resource. It is JSON-serialisable. */
export interface OutputRecord {
  /** 32 hexadecimal digits, random: not guessable, and safe as a file name and in a URL. */
  readonly id: string
  readonly account: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970. The server answers 404 from then on, whether or not the bytes are still there. */
  readonly expiresAt: number
  readonly input: { readonly type: string; readonly size: number }
  readonly output: {
    readonly type: string
    /** Bytes. */
    readonly size: number
    /** Pixels, as they are seen: after the EXIF orientation. */
    readonly width: number
    readonly height: number
    /** EXIF orientation of the file, 2 to 8; absent if it is stored as it is seen. */
    readonly orientation?: number | undefined
  }
}

/** The records of outputs. */
export interface OutputRecords {
  /** Stores a record, durable before it resolves. It is written after the bytes, so that a record never lacks them. */
  create(record: OutputRecord): Promise<void>
  /** Returns `undefined` when there is none, or none any more. May still return an expired one. */
  find(id: string): Promise<OutputRecord | undefined>
}

/** The image as it was uploaded, which later operations work from, and the compressed one, which is downloaded. */
export type OutputPart = 'upload' | 'output'

/** The bytes of outputs. */
export interface OutputBytes {
  /** Stores bytes whole or not at all, and durable before it resolves. An id and part are put once. */
  put(id: string, part: OutputPart, bytes: Uint8Array, type: string): Promise<void>
  /** Returns `undefined` when they are not there (any more). */
  get(id: string, part: OutputPart): Promise<Uint8Array | undefined>
  /**
   * Returns the same bytes in pieces. The stream may fail midway when the backend does; cancelling it frees its
   * resources.
   */
  stream(id: string, part: OutputPart): Promise<ReadableStream<Uint8Array> | undefined>
  /** Removes both parts. No error when they are not there. */
  delete(id: string): Promise<void>
}

/** The name of a build's result: whose, signed by which key, and its own key. */
export interface CacheEntryName {
  readonly account: string
  /** 16 hexadecimal digits. */
  readonly signer: string
  /** 64 hexadecimal digits. */
  readonly key: string
}

/**
 * Results of builds, which their machines share. They sign what they keep here, and check it when they read it: to the
 * server it is bytes.
 */
export interface CacheEntries {
  /**
   * Stores an entry whole or not at all, and durable before it resolves. `false` where there is one of the name, which
   * stays as it is.
   */
  create(name: CacheEntryName, bytes: Uint8Array): Promise<boolean>
  has(name: CacheEntryName): Promise<boolean>
  /** Returns `undefined` when it is not there (any more). `size`: bytes. */
  stream(
    name: CacheEntryName,
  ): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> } | undefined>
  /** Returns the keys, sorted: at most `limit`, those behind `after` where it is given. */
  list(of: Omit<CacheEntryName, 'key'>, after: string | undefined, limit: number): Promise<string[]>
}

/** Work that one of several servers is to do, each by a name. */
export interface Leases {
  /**
   * Gives the work to an owner for some milliseconds, or prolongs it where the owner has it. `false` where another one
   * has it, whose time is not over.
   */
  acquire(name: string, owner: string, milliseconds: number): Promise<boolean>
  /** Ends it. Does nothing where another owner has it. */
  release(name: string, owner: string): Promise<void>
}

/** Everything that the server stores. */
export interface Backend {
  /** The name in logs: `sqlite`, `redis+s3`. */
  readonly name: string
  readonly keys: KeyStore
  readonly counts: CompressionCounts
  readonly rate: RateLimiter
  readonly records: OutputRecords
  readonly bytes: OutputBytes
  readonly cache: CacheEntries
  /** Results that are delivered, under names of the server itself. */
  readonly delivered: CacheEntries
  readonly leases: Leases
  /** Resolves when every service behind answers and takes bytes; `/readyz` asks. @throws BackendUnavailableError */
  ready(): Promise<void>
  /**
   * Removes expired outputs and bytes that never got a record. A backend whose services do this by themselves (Redis
   * `EXPIRE`, a lifecycle rule of the bucket) has nothing to do.
   * @param now milliseconds since 1970
   * @returns how many outputs were removed
   */
  sweep(now: number): Promise<number>
  close(): Promise<void>
}

/** A service behind the server does not answer, or not in time. Its message is for the log, never for the client. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError'
  /** The part that has no room left, where that is the reason. */
  readonly full: 'disk' | 'storage' | undefined

  constructor(message: string, { cause, full }: { cause?: unknown; full?: 'disk' | 'storage' | undefined } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.full = full
  }
}

/** Where a bucket is and how to get in. */
export interface BucketSettings {
  /** `https://s3.<region>.amazonaws.com`, or the URL of another provider; without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The settings of `openSharedBackend` in redis-s3.ts. */
export interface SharedBackendSettings {
  /** `redis://` or `rediss://`, with credentials where needed. */
  readonly redisUrl: string
  readonly bucket: BucketSettings
}
