import { createHash } from 'node:crypto'
import path from 'node:path'
import { createLimit } from '../concurrency/limit.ts'
import { PixpressError } from '../base/errors.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { StoreUsage } from './contract.ts'
import type { ResolvedImageStore } from './image-store-options.ts'
import { STORES } from './index.ts'
import type { StoreOptions } from './index.ts'
import { isStored, store, storeLocation } from './store.ts'

/** An image that is put into a store. */
export interface StoredImage {
  readonly data: Uint8Array
  /** MIME. */
  readonly type: string
  /** File name with its extension; the object's is made of it and of the bytes. */
  readonly name: string
  /** The source it was made from, relative to the root. */
  readonly source: string
}

/** The images of a project's builds in object storage. */
export interface ImageStore {
  /**
   * Puts the image there unless it is there already, once per build however often it is asked for.
   * @returns its URL
   * @throws PixpressError `STORE_FAILED`
   */
  put(image: StoredImage): Promise<string>
  /**
   * Ends a build: writes the manifest, unless an image could not be put there, and tells what was done since the last
   * one.
   * @throws PixpressError `IO_FAILED`
   */
  finish(): Promise<StoreUsage | undefined>
}

/** Requests at once. */
const CONCURRENCY = 8

/** Hexadecimal digits of the content's SHA-256 in a name: two images of a project do not share them. */
const DIGITS = 16

/** Creates the store of a build. */
export function createImageStore({ folder, baseUrl, manifest }: ResolvedImageStore): ImageStore {
  const limit = createLimit({ jobs: CONCURRENCY })
  const urls = new Map<string, Set<string>>()
  let flights = new Map<string, Promise<string>>()
  let usage = emptyUsage(folder)
  let hasFailed = false

  async function upload(name: string, { data, type, source }: StoredImage): Promise<string> {
    const object: StoreOptions = { ...folder, path: `${folder.path}/${name}` }
    try {
      if (await isStored(object)) usage.present++
      else {
        await store({ data, info: { type } }, object)
        usage.uploaded++
        usage.bytes += data.length
      }
    } catch (error) {
      throw describe(error, source, object)
    }
    return baseUrl === undefined ? storeLocation(object) : `${baseUrl}/${encodeURIComponent(name)}`
  }

  return {
    async put(image) {
      const name = objectName(image)
      let flight = flights.get(name)
      if (flight === undefined) {
        flight = limit.run(() => upload(name, image))
        flights.set(name, flight)
        // A failure is no answer to keep: a watching build tries again.
        flight.catch(() => {
          flights.delete(name)
          hasFailed = true
        })
      }
      const url = await flight
      const known = urls.get(image.source)
      if (known === undefined) urls.set(image.source, new Set([url]))
      else known.add(url)
      return url
    },
    async finish() {
      const done = usage
      const isWhole = !hasFailed
      hasFailed = false
      if (flights.size === 0) return undefined
      // An object that is there now may be gone by the next build.
      flights = new Map()
      usage = emptyUsage(folder)
      if (manifest !== undefined && isWhole) await writeManifest(manifest, sorted(urls))
      return done
    },
  }
}

/** Returns a name such as `photo.3f1c….webp`. */
function objectName({ name, data }: StoredImage): string {
  const { name: stem, ext } = path.parse(name)
  const digest = createHash('sha256').update(data).digest('hex').slice(0, DIGITS)
  // Neither service takes control characters.
  // eslint-disable-next-line no-control-regex -- that is what is looked for
  return `${stem.replace(/[\u0000-\u001f\u007f/\\]|\p{Surrogate}/gu, '_')}.${digest}${ext}`
}

const emptyUsage = ({ service }: StoreOptions): { -readonly [Key in keyof StoreUsage]: StoreUsage[Key] } => ({
  service,
  uploaded: 0,
  present: 0,
  bytes: 0,
})

async function writeManifest(file: string, urls: Record<string, string[]>): Promise<void> {
  try {
    await replaceFile(file, `${JSON.stringify(urls, undefined, 2)}\n`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('IO_FAILED', `The manifest could not be written: ${reason}`, { file, cause: error })
  }
}

function sorted(urls: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  const entries = [...urls].map(([source, each]) => [source, [...each].sort()] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Describes an error that fails the build: which image, and where it was to go. */
function describe(error: unknown, source: string, { service, path: object }: StoreOptions): unknown {
  if (!(error instanceof PixpressError)) return error
  const where = `${STORES[service].label} as ${object}`
  return new PixpressError(error.code, `${source}: could not be stored at ${where}. ${error.message}`, {
    file: source,
    cause: error.cause,
  })
}
