import type { Drafting, DraftingSettings } from './drafting.ts'

export type { Drafting } from './drafting.ts'

/**
 * Makes drafts where a build has no time. The code for them is loaded here: projects without `firstBuild` never load
 * it.
 */
export async function openDrafting(settings: DraftingSettings): Promise<Drafting> {
  const { createDrafting } = await import('./drafting.ts')
  return createDrafting(settings)
}
