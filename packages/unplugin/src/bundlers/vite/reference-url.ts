import path from 'node:path'
import { deliverUrl } from '../../modules/deliver.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { finishReference, planReference } from '../../modules/reference.ts'
import type { ImageUse } from '../../references/types.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import { relativeUrl } from '../../base/paths.ts'
import { isInlined } from './build-asset.ts'
import { devOriginalUrl, devUrl } from './dev-url.ts'
import type { LocatedImage, ViteProject } from './project.ts'

/**
 * Gives what to write into a stylesheet or page instead of an image's URL. In a build Vite reads what is referenced
 * there from the disk, without asking plugins, so it is pointed at the finished file in the cache folder: everything
 * after that (inlining, naming, `base`) stays Vite's.
 *
 * @param importer Absolute path of the stylesheet or page.
 */
export async function referenceUrl(
  project: ViteProject,
  image: LocatedImage,
  use: ImageUse,
  importer: string,
): Promise<string | undefined> {
  const { config, session, warn, sources } = project
  const { query, hash } = image
  // Before Vite 6 there are none.
  const environments = config.environments as Partial<typeof config.environments> | undefined
  if (project.isServed && query.inline !== true) {
    if (query.original) return devOriginalUrl(project, image.file) + hash
    const planned = await planReference(session, image, use)
    return planned === undefined ? undefined : devUrl(project, planned) + hash
  }
  const finished = await finishReference(session, image, use, warn)
  if (finished === undefined) return undefined
  async function emit(emitted: FinishedImage): Promise<string> {
    const written = await session.writeToFile({ ...emitted, name: await distinctName(session, emitted) })
    sources.add(written, image)
    // Vite 5 would leave the query in the URL: there the limit says it.
    const asked = query.inline === false && environments !== undefined ? '?no-inline' : ''
    return relativeUrl(path.dirname(importer), written) + asked
  }
  // Vite itself inlines what is not stored, and its limit may be the project's own function. Pages and stylesheets are
  // the client's, whose settings are not those of the whole where environments share one configuration.
  const { client = config } = environments ?? {}
  const local =
    session.options.store === undefined || isInlined(client, finished, { asked: query.inline, isEntry: false, hash })
  return deliverUrl(session, finished, { inline: query.inline === true, local, emit }, hash)
}
