import type { PreserveItem } from '../base/types.ts'
import type { Copyright, Metadata } from './types.ts'

/** Selects the items that are asked for and present. */
export function selectMetadata(metadata: Metadata, items: readonly PreserveItem[]): Metadata {
  const { copyright, creation, location } = metadata
  return {
    ...(copyright !== undefined && items.includes('copyright') && { copyright }),
    ...(creation !== undefined && items.includes('creation') && { creation }),
    ...(location !== undefined && items.includes('location') && { location }),
  }
}

/**
 * Merges the metadata of several sources of one file: for each item, and each part of the copyright, the first source
 * that has it counts.
 */
export function mergeMetadata(sources: readonly Metadata[]): Metadata {
  const creation = firstOf(sources, (source) => source.creation)
  const location = firstOf(sources, (source) => source.location)
  const text = firstOf(sources, (source) => source.copyright?.text)
  const url = firstOf(sources, (source) => source.copyright?.url)
  const flagged = firstOf(sources, (source) => source.copyright?.flagged)
  const copyright: Copyright = {
    ...(text !== undefined && { text }),
    ...(flagged !== undefined && { flagged }),
    ...(url !== undefined && { url }),
  }
  return {
    ...(Object.keys(copyright).length > 0 && { copyright }),
    ...(creation !== undefined && { creation }),
    ...(location !== undefined && { location }),
  }
}

function firstOf<T>(sources: readonly Metadata[], pick: (source: Metadata) => T | undefined): T | undefined {
  for (const source of sources) {
    const value = pick(source)
    if (value !== undefined) return value
  }
  return undefined
}
