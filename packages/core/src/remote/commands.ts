import type { Job } from '../engine/job.ts'
import type { InputType } from '../types.ts'
import type { RemoteCommands } from './client.ts'

/** The types that every service of the interface takes. */
const ACCEPTED: readonly InputType[] = ['image/avif', 'image/webp', 'image/jpeg', 'image/png']

export function isAccepted(type: InputType): boolean {
  return ACCEPTED.includes(type)
}

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
