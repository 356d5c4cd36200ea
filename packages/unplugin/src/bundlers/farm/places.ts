import path from 'node:path'
import type { PluginResolveHookParam, PluginResolveHookResult } from '@farmfe/core'
import { notePlace } from '../../inspector/places.ts'
import { splitUrl } from '../../references/url.ts'
import type { FarmHook } from './project.ts'

/**
 * Notes which module refers to an image, for the inspector: Farm loads an image without saying so, and ends the process
 * when it is asked for the importers of what it does not know.
 */
export async function noteImporter(
  { project: { session, root }, context }: FarmHook,
  reference: PluginResolveHookParam,
): Promise<void> {
  const { importer } = reference
  if (importer === null) return
  // Farm's types leave out that it gives `null` where nothing is found, which Farm itself will tell.
  const found: PluginResolveHookResult | null = await context
    .resolve(reference, { meta: {}, caller: CALLER })
    .catch(() => null)
  if (found === null || found.external === true || !session.matches(found.resolvedPath)) return
  notePlace(session, found.resolvedPath, path.resolve(root, splitUrl(importer).path))
}

/** Who resolves, so that the plugin leaves its own question alone. */
export const CALLER = 'pixpress:places'
