import { IMAGE_FILE } from '../base/paths.ts'
import type { ResolvedOptions } from '../session/options/options.ts'
import type { Session } from '../session/session.ts'
import type { FindReferences } from './answer.ts'

/**
 * The files that refer to each source, as absolute paths. The key is a session's options, as a session has several
 * faces.
 */
const PLACES = new WeakMap<ResolvedOptions, Map<string, Set<string>>>()

/**
 * Notes where a bundler has found a reference to an image, for the inspector.
 * @param file absolute path of the image
 * @param place absolute path of what refers to it. An image, as the module of its own directives, is none
 */
export function notePlace({ options }: Session, file: string, place: string): void {
  if (place === '' || IMAGE_FILE.test(place)) return
  const places = PLACES.get(options) ?? new Map<string, Set<string>>()
  PLACES.set(options, places)
  places.set(file, (places.get(file) ?? new Set()).add(place))
}

/** Where the images of a session were found, whatever directives stand there. */
export function notedPlaces({ options }: Session): FindReferences {
  return (images) => {
    const places = PLACES.get(options)
    return new Map(images.map(({ id, file }) => [id, [...(places?.get(file) ?? [])].sort()]))
  }
}
