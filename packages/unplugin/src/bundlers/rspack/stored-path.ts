import path from 'node:path'
import { storeLocation } from '@pixpress/core/internal'
import type { ResolvedImageStore } from '@pixpress/core/internal'

/** A folder that does not exist: modules of images that are in a store are named by paths in it. */
const FOLDER = '.pixpress-stored'

/** Paths of such modules. */
export const STORED_PATH: RegExp = /[\\/]\.pixpress-stored[\\/][^\\/]+$/

/**
 * The path of the module of an image that is at this URL. Its name is the URL's, so that rules can tell it from the
 * path alone.
 * @param context absolute path of the project
 */
export function storedPath(context: string, url: string): string {
  return path.join(context, FOLDER, url.slice(url.lastIndexOf('/') + 1))
}

/** The part before the names in all URLs of a store. */
export function storedBase({ folder, baseUrl }: ResolvedImageStore): string {
  return baseUrl === undefined ? storeLocation({ ...folder, path: `${folder.path}/x` }).slice(0, -1) : `${baseUrl}/`
}
