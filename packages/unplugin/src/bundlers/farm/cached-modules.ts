import type { CompilationContext } from '@farmfe/core'
import { finishReference, readQuery } from '../../modules/reference.ts'
import { finishRequest } from '../../modules/render-import.ts'
import type { FarmProject } from './project.ts'
import { isMarkedLocal } from './module-references.ts'

/**
 * Takes the images of modules that Farm has answered from its cache for part of the build again, for its report and its
 * warnings: they come from the cache of images. A module counts as there when its file is one of the build's, whatever
 * its query, as that is all that Farm tells.
 */
export async function replayCachedModules(
  { session, generation }: FarmProject,
  context: CompilationContext,
): Promise<void> {
  const requests = generation?.unseen() ?? []
  if (requests.length === 0) return
  const present = new Set(context.getWatchFiles())
  const warn = (message: string): void => context.warn(message)
  for (const { owner, file, query: text, use } of requests) {
    if (!present.has(owner)) continue
    const query = readQuery(text)
    const images = query.hasDirectives
      ? await finishRequest(session, await session.planRequest(file, query), warn)
      : [await finishReference(session, { file, query }, use, warn)]
    if (query.inline === true || isMarkedLocal(text)) continue
    // Modules that Farm has kept refer to the store: the images have to be there still.
    for (const image of images) if (image !== undefined) await session.upload(image)
  }
}
