import path from 'node:path'
import { PixpressError, invalidOption } from '../errors.ts'
import { storeLocation } from './index.ts'
import { STORE_KEYS, knownKeys } from './options.ts'
import type { GcsStoreOptions, S3StoreOptions, StoreOptions } from './options.ts'

interface ImageFolder {
  /** `<bucket>` or `<bucket>/<folder>`: where the images go, each under a name of its own. */
  path: string
  /** What stands before the images' names on the pages, a CDN in front of that folder, say. Default: the object's own address. */
  baseUrl?: string
  /** File, relative to the root, that tells the addresses of every source's images. Default: none. */
  manifest?: string
}

/** Where a build puts its images: the members of the remote interface's `store`, and what only builds need. */
export type ImageStoreOptions = (Omit<S3StoreOptions, 'path'> | Omit<GcsStoreOptions, 'path'>) & ImageFolder

export interface ResolvedImageStore {
  /** Its `path` is the folder. */
  readonly folder: StoreOptions
  /** Without a slash at its end. */
  readonly baseUrl: string | undefined
  /** Absolute. */
  readonly manifest: string | undefined
}

/** The names tell the content, so an object never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Validates the option once.
 * @throws PixpressError `INVALID_OPTION`, which shows no credential
 */
export function resolveImageStore(options: ImageStoreOptions, root: string): ResolvedImageStore {
  if (typeof options !== 'object' || options === null) {
    throw new PixpressError('INVALID_OPTION', "Expected an object for 'store'.")
  }
  const { baseUrl, manifest, ...given } = options
  const { service } = given
  if (service !== 's3' && service !== 'gcs') throw invalidOption('store.service', "'s3' or 'gcs'", service)
  knownKeys('store.', options, [...STORE_KEYS[service], 'baseUrl', 'manifest'])
  if (typeof given.path !== 'string') throw invalidOption('store.path', "'<bucket>/<folder>'", given.path)
  const folder: StoreOptions = {
    headers: { 'Cache-Control': FOR_EVER },
    ...given,
    path: given.path.replace(/\/+$/, ''),
  }
  // Every other member is checked by what will use it.
  storeLocation({ ...folder, path: `${folder.path}/name` })
  if (manifest !== undefined && (typeof manifest !== 'string' || manifest === '')) {
    throw invalidOption('store.manifest', 'a path', manifest)
  }
  return {
    folder,
    baseUrl: baseUrl === undefined ? undefined : checkedBase(baseUrl),
    manifest: manifest === undefined ? undefined : path.resolve(root, manifest),
  }
}

function checkedBase(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ''
  ) {
    throw new PixpressError(
      'INVALID_OPTION',
      "Expected an http or https address without user, query or fragment for 'store.baseUrl'.",
    )
  }
  return url.href.replace(/\/+$/, '')
}
