import type { Job } from '../../work/steps/job.ts'
import { resolveOperations } from '../../operations/index.ts'
import { isInterfaceResize } from '../../operations/resize.ts'
import { ALPHA_TYPES, WILDCARD_TYPES } from '../../base/formats.ts'
import type { InputType, ProbeResult } from '../../base/types.ts'
import type { RemoteCommands } from './client.ts'
import type { InterfaceResize } from '../../operations/resize.ts'
import type { ResolvedOperations } from '../../operations/index.ts'

/** Tells whether every service of the interface takes images of a type. */
export function isAccepted(type: InputType): boolean {
  return (WILDCARD_TYPES as readonly InputType[]).includes(type)
}

/** Tells whether the interface has words for the operations on the picture. */
export function isExpressible({ resize, adjust }: ResolvedOperations): boolean {
  return adjust === undefined && isInterfaceResize(resize)
}

/** Removes quality, bytes, effort and encoders' settings, which the service decides by itself. */
export function relevantOf(operations: ResolvedOperations): ResolvedOperations {
  // This machine does it.
  if (!isExpressible(operations)) return operations
  const { resize, types, orInput, background, preserve, lossless } = operations
  return { ...NOTHING_ASKED, resize, types, orInput, background, preserve, ...(lossless && { lossless }) }
}

const NOTHING_ASKED: ResolvedOperations = resolveOperations()

/**
 * The work as one request. The interface has no words for the quality: that is the service's own choice. A service
 * answers with a type of the list, so an image that may stay in its own type names that as well: where it is not
 * changed, and where no other type of the list has its transparency.
 */
export function commandsOf({ operations, type }: Job, { hasAlpha }: Pick<ProbeResult, 'hasAlpha'>): RemoteCommands {
  const { resize, types, orInput, background } = operations
  // Files with content credentials are not sent, and other services know no such word.
  const preserve = operations.preserve.filter((item) => item !== 'provenance')
  const changed = resize !== null || background !== null
  const isLost = hasAlpha && background === null && types?.every((each) => !ALPHA_TYPES.has(each)) === true
  const wanted = types !== null && orInput && (!changed || isLost) ? [...new Set<InputType>([...types, type])] : types
  const [only] = types ?? []
  return {
    ...(resize !== null && { resize: resize as InterfaceResize }),
    ...(wanted !== null && { convert: { type: orInput ? (wanted as typeof types & object) : only! } }),
    ...(background !== null && { transform: { background: background as `#${string}` } }),
    ...(preserve.length > 0 && { preserve }),
  }
}

/** Compressions that a service counts for the commands; an upload counts one more. */
export function costOf({ resize, convert }: RemoteCommands): number {
  return (resize === undefined ? 0 : 1) + (convert === undefined ? 0 : 1)
}
