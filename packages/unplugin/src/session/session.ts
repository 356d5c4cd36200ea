import type { Operations, Placeholder } from '@pixpress/core'
import type { Otherwise } from '@pixpress/core/report'
import type { RemoteImages } from './remote/remote-images.ts'
import type { ImageQuery } from '../directives/query.ts'
import type { ImageUse } from '../references/types.ts'
import type { Baselines } from './report/baselines.ts'
import type { ExpectedImage } from './encode/expected-image.ts'
import type { Files } from '../base/files.ts'
import type { FinishedImage, PlannedImage, PlannedRequest, Warn } from './plan/images.ts'
import type { RequestUse } from './plan/planner.ts'
import type { ResolvedOptions } from './options/options.ts'
import type { LeftAlone } from './left-alone.ts'
import type { SeenImages } from './report/seen-images.ts'
import type { ReportLog } from './report/report-log.ts'
import type { TypesWriter } from '../types/write.ts'

/** The work of one project's builds: shared by every plugin instance with the same root, options and cache. */
export interface Session {
  readonly options: ResolvedOptions
  readonly log: ReportLog
  /** Takes notes of what nothing here works on. */
  readonly leftAlone: Pick<LeftAlone, 'query' | 'output'>
  /** The images that were planned and made, for the inspector. */
  readonly seen: SeenImages
  /** Images of other servers. */
  readonly remote: RemoteImages
  /** Holds what would have been delivered without pixpress. */
  readonly baselines: Baselines
  /** Keeps the types of imports, where the options want that. */
  readonly types: TypesWriter | undefined
  /** Where sources are read. Default: the disk. */
  readonly files: Files
  /** The same session for a build that reads its sources elsewhere; the one that it was made from stays as it is. */
  withFiles(files: Files): Session
  /** Tells whether a file is one of the images to work on, by path alone. */
  matches(file: string): boolean
  /**
   * Tells which folder is copied as it is, and where to, for what says that an image is a texture: the former is looked
   * through, the latter never. Absolute paths.
   */
  expectCopies(from: string, to: string): void
  /** Reads the file and gives its identity. Never throws for a bad image; does for a missing file. */
  plan(file: string, use?: ImageUse, operations?: Operations): Promise<PlannedImage>
  /** The same for bytes that are at hand. */
  planBytes(file: string, source: Uint8Array, use?: ImageUse, operations?: Operations): PlannedImage
  /**
   * Plans an image that stands inside of a text, in a data URL, in its own type. It has no line in the lock.
   * @param file absolute path of the text, with the place: `…/a.css (data: 2).png`
   */
  planInside(file: string, source: Uint8Array, use: 'typed' | 'public'): PlannedImage
  /**
   * Tells whether bytes need no work: this session has made them, or they are those of a file that it leaves alone,
   * which a bundler may have put into a text.
   */
  isSettled(data: Uint8Array): Promise<boolean>
  /**
   * Tells whether the project's default directives say anything of an import.
   * @throws PixpressError `INVALID_OPTION`; whatever a function of the project throws
   */
  hasDefaults(file: string, query: ImageQuery): Promise<boolean>
  /** @throws PixpressError for directives that are unknown, contradictory or out of range, naming the file */
  planRequest(file: string, query: ImageQuery, use?: RequestUse): Promise<PlannedRequest>
  /**
   * From the cache or by encoding, once per identity. A broken image gives its own bytes and one warning.
   * @throws PixpressError with `onError: 'error'`
   */
  finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
  /**
   * The same for dev servers, which have no end of a build to name what a frozen cache lacks.
   * @throws PixpressError `NOT_CACHED`; any code with `onError: 'error'`
   */
  serve(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
  /**
   * Gives what the module of a planned image with `lqip` shows until it is there, without encoding it. `undefined`
   * where none can be made: why is said where the image itself is asked for.
   */
  placeholder(planned: PlannedImage): Promise<Placeholder | undefined>
  /**
   * Gives what an image would be, to choose among several: as `finish`, but it is no part of the build until that is
   * called.
   * @throws PixpressError as for `finish`
   */
  trial(planned: PlannedImage, warn: Warn): Promise<FinishedImage>
  /**
   * Writes a finished image to a file inside the cache folder, for bundlers that read images themselves; gives its
   * absolute path.
   */
  writeToFile(image: FinishedImage): Promise<string>
  /** The untouched source as a finished image, for `?original`. */
  original(file: string): Promise<FinishedImage>
  /** Plans again what was planned under an `id`, for dev servers: sources are not held in memory meanwhile. */
  planned(id: string): Promise<PlannedImage | undefined>
  /** Width, height and type that a planned image will have, without encoding it where that can be told. */
  expect(planned: PlannedImage): Promise<ExpectedImage>
  /**
   * Puts a finished image into object storage where the `store` option says so, and gives its URL there.
   * @throws PixpressError `STORE_FAILED`, whatever `onError` says: nothing may refer to a missing object
   */
  upload(image: FinishedImage): Promise<string | undefined>
  /**
   * Makes the final result of a draft, the one that is expected to save most, and notes that in the lock; `false` where
   * there is none.
   * @throws PixpressError `LOCK_INVALID`
   */
  refineNext(): Promise<boolean>
  /**
   * Gives what images of this run would be with `convert: 'auto'`, by identity, as far as the cache knows. Encodes
   * nothing.
   */
  others(): Promise<ReadonlyMap<string, Otherwise>>
  /** The source of a file that `writeToFile` wrote. */
  sourceOf(path: string): string | undefined
  /**
   * Takes the next `count` builds for one (client and server, say): their report comes when the last of them ends.
   * `Infinity` holds it back until this is called again.
   */
  joinBuilds(count: number): void
  /**
   * Ends a build: report, cache bound, threads. The session can be used again.
   * @param build equal for builds that ask for the same images, all of them, as long as nothing changes. Default:
   *   nobody knows, as bundlers have caches of their own and watch
   * @throws PixpressError `NOT_CACHED` naming all that a frozen cache lacks
   */
  endBuild(build?: string): Promise<void>
}
