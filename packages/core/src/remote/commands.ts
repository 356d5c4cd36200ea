import type { Job } from '../engine/job.ts'
import { resolveOperations } from '../operations.ts'
import type { InputType, ResolvedOperations } from '../types.ts'
import type { RemoteCommands } from './client.ts'

/** The types that every service of the interface takes. */
const ACCEPTED: readonly InputType[] = ['image/avif', 'image/webp', 'image/jpeg', 'image/png']

export function isAccepted(type: InputType): boolean {
  return ACCEPTED.includes(type)
}

/** Quality, bytes, effort and encoders' settings are for the service to decide: what was asked of them is as good as nothing. */
export function heededOf({ resize, types, orInput, background, preserve }: ResolvedOperations): ResolvedOperations {
  return { ...NOTHING_ASKED, resize, types, orInput, background, preserve }
}

const NOTHING_ASKED: ResolvedOperations = resolveOperations()

/** The work as one request. The interface has no words for the quality: that is the service's own choice. */
export function commandsOf({ operations, type }: Job): RemoteCommands {
  const { resize, types, orInput, background, preserve } = operations
  const changed = resize !== null || background !== null
  const wanted = types !== null && orInput && !changed ? [...new Set<InputType>([...types, type])] : types
  const [only] = types ?? []
  return {
    ...(resize !== null && { resize }),
    ...(wanted !== null && { convert: { type: orInput ? (wanted as typeof types & object) : only! } }),
    ...(background !== null && { transform: { background: background as `#${string}` } }),
    ...(preserve.length > 0 && { preserve }),
  }
}

/** Compressions that a service counts for the commands; an upload counts one more. */
export function costOf({ resize, convert }: RemoteCommands): number {
  return (resize === undefined ? 0 : 1) + (convert === undefined ? 0 : 1)
}
