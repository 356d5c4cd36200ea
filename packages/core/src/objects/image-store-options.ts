import path from 'node:path'
import { PixpressError, invalidOption } from '../base/errors.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'
import { SERVICES_IN_WORDS, isStoreService, membersOf } from './index.ts'
import type { StoreOptions } from './index.ts'
import { checkedUrl } from './options.ts'
import { storeLocation } from './store.ts'

interface ImageFolder {
  /** `<bucket>` or `<bucket>/<folder>`: where the images go, each under a name of its own. */
  path: string
  /** URL before the images' names on the pages, of a CDN in front of that folder, say. Default: the object's own. */
  baseUrl?: string
  /** File, relative to the root, that gives the URLs of every source's images. Default: none. */
  manifest?: string
}

/** The place for a build's images: the members of the remote interface's `store`, and those that only builds need. */
export type ImageStoreOptions = WithoutPath<StoreOptions> & ImageFolder

/** Removes `path` from each member of the union by itself. */
type WithoutPath<Options> = Options extends StoreOptions ? Omit<Options, 'path'> : never

/** Checked options of a build's store. */
export interface ResolvedImageStore {
  /** Its `path` is the folder. */
  readonly folder: StoreOptions
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string | undefined
  /** Absolute. */
  readonly manifest: string | undefined
}

/** The names are made from the content, so an object never changes. */
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
  if (!isStoreService(service)) throw invalidOption('store.service', SERVICES_IN_WORDS, service)
  refuseUnknownKeys('store', options, [...membersOf(service), 'baseUrl', 'manifest'])
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
    baseUrl: baseUrl === undefined ? undefined : checkedUrl('store.baseUrl', baseUrl),
    manifest: manifest === undefined ? undefined : path.resolve(root, manifest),
  }
}
