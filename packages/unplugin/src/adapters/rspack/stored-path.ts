import path from 'node:path'
import { storeLocation } from '@pixpress/core'
import type { ResolvedImageStore } from '@pixpress/core'

/** A folder that is nowhere: modules of images that are in a store go by a path in it. */
const FOLDER = '.pixpress-stored'

/** Paths of such modules. */
export const STORED_PATH: RegExp = /[\\/]\.pixpress-stored[\\/][^\\/]+$/

/**
 * The path of the module of an image that is at this address. Its name is the address's, so that rules can tell it from the
 * path alone.
 * @param context absolute path of the project
 */
export function storedPath(context: string, address: string): string {
  return path.join(context, FOLDER, address.slice(address.lastIndexOf('/') + 1))
}

/** What stands before the names in all addresses of a store. */
export function storedBase({ folder, baseUrl }: ResolvedImageStore): string {
  return baseUrl === undefined ? storeLocation({ ...folder, path: `${folder.path}/x` }).slice(0, -1) : `${baseUrl}/`
}
