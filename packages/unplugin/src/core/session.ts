import type { InputType, Operations, Plan, PixpressError, ProbeResult } from '@pixpress/core'
import type { ImageQuery } from './directives/query.ts'
import type { DirectiveRequest } from './directives/resolve.ts'
import type { ResolvedOptions } from './options.ts'
import type { ReportLog } from './report/log.ts'

/** Where a reference stands, as far as it decides what may be done to the image. */
export type ImageUse = 'content' | 'icon' | 'typed' | 'public'

/** An image of the build, with its identity, before anything is encoded. */
export interface PlannedImage {
  /** Short identity of source bytes, operations and engine versions: 16 hexadecimal digits, for URLs and folders. */
  readonly id: string
  /** Absolute path of the source. */
  readonly file: string
  readonly source: Uint8Array
  /** Name without extension: the source's own, with the asked width where there is one. */
  readonly stem: string
  /**
   * The file name extension without the dot, where it is certain before encoding: adapters that must name an asset early
   * finish the image first where it is not.
   */
  readonly extension: string | undefined
  /** Absent when the source is no image that can be worked on: its own bytes are used. */
  readonly plan: Plan | undefined
  /** Why there is no plan. */
  readonly problem: PixpressError | undefined
}

/** An image as it goes into the build. */
export interface FinishedImage {
  readonly planned: PlannedImage
  readonly data: Uint8Array
  /** MIME type of `data`. */
  readonly type: InputType | 'application/octet-stream'
  /** File name with the extension that fits `data`. */
  readonly name: string
  /** Pixels; 0 when unknown. */
  readonly width: number
  readonly height: number
}

/** An image asked for with directives: what to render, and the images it needs, in the order of `request.variants`. */
export interface PlannedRequest {
  readonly request: DirectiveRequest
  readonly images: readonly PlannedImage[]
  readonly source: ProbeResult
}

/** Shows one plain sentence to the person who builds. */
export type Warn = (message: string) => void

/** The work of one project's builds: shared by every plugin instance with the same root, options and cache. */
export interface Session {
  readonly options: ResolvedOptions
  readonly log: ReportLog
  /** Whether a file is one of the images to work on, by path alone. */
  matches(file: string): boolean
  parseQuery(query: string): ImageQuery
  /** Reads the file and gives its identity. Never throws for a bad image; does for a missing file. */
  plan(file: string, use?: ImageUse, operations?: Operations): Promise<PlannedImage>
  /** The same for bytes that are at hand. */
  planBytes(file: string, source: Uint8Array, use?: ImageUse, operations?: Operations): PlannedImage
  /** @throws PixpressError for directives that are unknown, contradictory or out of range, naming the file */
  planRequest(file: string, query: ImageQuery): Promise<PlannedRequest>
  /**
   * From the cache or by encoding, once per identity. A broken image gives its own bytes and one warning.
   * @throws PixpressError with `onError: 'error'`
   */
  finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
  /** The same, and the bytes as a file inside the cache folder, for bundlers that read images themselves. */
  finishToFile(planned: PlannedImage, warn: Warn): Promise<FinishedImage & { path: string }>
  /** A finished image as a file inside the cache folder; gives its absolute path. */
  writeToFile(image: FinishedImage): Promise<string>
  /** The untouched source as a finished image, for `?original`. */
  original(file: string): Promise<FinishedImage>
  /** Plans again what was planned under an `id`, for dev servers: sources are not held in memory meanwhile. */
  planned(id: string): Promise<PlannedImage | undefined>
  /** Width, height and type that a planned image will have, without encoding it where that can be told. */
  expect(
    planned: PlannedImage,
  ): Promise<{ width: number; height: number; type: InputType | 'application/octet-stream' }>
  /**
   * Puts a finished image into object storage where the `store` option says so, and gives its address there.
   * @throws PixpressError `STORE_FAILED`, whatever `onError` says: nothing may refer to a missing object
   */
  stored(image: FinishedImage): Promise<string | undefined>
  /** The source of a file that `finishToFile` or `writeToFile` wrote. */
  sourceOf(path: string): string | undefined
  /**
   * Takes the next `count` builds for one (client and server, say): their report comes when the last of them ends.
   * `Infinity` holds it back until this is called again.
   */
  joinBuilds(count: number): void
  /** Ends a build: report, cache bound, threads. The session can be used again. */
  endBuild(): Promise<void>
}
