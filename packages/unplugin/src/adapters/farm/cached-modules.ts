import type { CompilationContext } from '@farmfe/core'
import { finishRequest, finishReference } from '../../core/image-module.ts'
import type { FarmProject } from './project.ts'
import { isMarkedLocal } from './module-references.ts'

/**
 * Takes the images of modules that Farm has answered from its cache for part of the build again, for its report and its
 * warnings: they come from the cache of images. A module counts as there when its file is one of the build's, whatever its
 * query, as that is all that Farm tells.
 */
export async function replayCachedModules(
  { session, generation }: FarmProject,
  context: CompilationContext,
): Promise<void> {
  const requests = generation?.unseen() ?? []
  if (requests.length === 0) return
  const present = new Set(context.getWatchFiles())
  const warn = (message: string): void => context.warn(message)
  for (const { owner, file, query, use } of requests) {
    if (!present.has(owner)) continue
    const parsed = session.parseQuery(query)
    const images = parsed.hasDirectives
      ? await finishRequest(session, await session.planRequest(file, parsed), warn)
      : [await finishReference(session, { file, query }, use, warn)]
    if (parsed.inline === true || isMarkedLocal(query)) continue
    // What Farm has kept refers to the store: it has to be there still.
    for (const image of images) if (image !== undefined) await session.stored(image)
  }
}
