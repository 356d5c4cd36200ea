import type { ImageUse } from '../session.ts'
import type { Reference } from './types.ts'

/** What the place of a reference allows: readers other than browsers know only old types, and a type that is declared stays. */
export function useOf({ kind, declaresType }: Pick<Reference, 'kind' | 'declaresType'>): ImageUse {
  if (declaresType === true) return 'typed'
  return kind === 'html-icon' || kind === 'html-meta' ? 'icon' : 'content'
}
