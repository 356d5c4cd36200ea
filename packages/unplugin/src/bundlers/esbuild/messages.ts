import { PixpressError } from '@pixpress/core'
import type { PartialMessage } from 'esbuild'
import { errorMessage } from '../../modules/failure.ts'
import type { Warn } from '../../session/plan/images.ts'

interface Messages {
  errors?: PartialMessage[]
  warnings?: PartialMessage[]
}

/**
 * A hook's answer together with the warnings that arose on the way. esbuild shows both its errors and its warnings at
 * the place of the reference; a thrown error it would show with the stack of this package instead.
 * @param location The place to show instead, for hooks that are not called for one reference.
 */
export async function withMessages<T extends object>(
  work: (warn: Warn) => Promise<T | undefined>,
  location: PartialMessage['location'] = null,
): Promise<(T & Messages) | Messages | undefined> {
  const warnings: PartialMessage[] = []
  try {
    const result = await work((text) => warnings.push({ text, location }))
    return result === undefined && warnings.length === 0 ? undefined : { ...result, warnings }
  } catch (error) {
    if (error instanceof PixpressError) return { errors: [{ text: errorMessage(error), location }], warnings }
    throw error
  }
}
