import path from 'node:path'
import { toDataUrl } from '../../core/data-url.ts'
import { distinctName } from '../../core/distinct-name.ts'
import { finishReference, planReference } from '../../core/image-module.ts'
import { relativePath } from '../../core/relative-path.ts'
import type { ImageUse } from '../../core/session.ts'
import { isInlined } from './build-asset.ts'
import { devOriginalUrl, devUrl } from './dev-url.ts'
import type { LocatedImage, ViteProject } from './project.ts'

/**
 * What to write into a stylesheet or page instead of an image's URL. In a build Vite reads what is referenced there from
 * the disk, without asking plugins, so it is pointed at the finished file in the cache folder: everything after that
 * (inlining, naming, `base`) stays Vite's.
 *
 * @param importer Absolute path of the stylesheet or page.
 */
export async function referenceUrl(
  project: ViteProject,
  image: LocatedImage,
  use: ImageUse,
  importer: string,
): Promise<string | undefined> {
  const { session, warn } = project
  const { inline, original } = session.parseQuery(image.query)
  if (project.isServed && inline !== true) {
    if (original) return devOriginalUrl(project, image.file) + image.hash
    const planned = await planReference(session, image, use)
    return planned === undefined ? undefined : devUrl(project, planned) + image.hash
  }
  const finished = await finishReference(session, image, use, warn)
  if (finished === undefined) return undefined
  if (inline === true) return toDataUrl(finished)
  // Vite itself decides on what is not stored, and its limit may be the project's own function.
  if (
    session.options.store !== undefined &&
    !isInlined(project.config, finished, { asked: inline, isEntry: false, hash: image.hash })
  ) {
    const address = await session.stored(finished)
    if (address !== undefined) return address + image.hash
  }
  const written = await session.writeToFile({ ...finished, name: await distinctName(session, finished) })
  project.sources.add(written, image)
  return relativeUrl(importer, written) + (inline === false ? '?no-inline' : '') + image.hash
}

function relativeUrl(importer: string, file: string): string {
  const relative = relativePath(path.dirname(importer), file)
  return encodeURI(relative.startsWith('../') ? relative : `./${relative}`)
}
