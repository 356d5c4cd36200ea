import { PixpressError } from '@pixpress/core'
import type { CreateRemoteClient } from '@pixpress/core/internal'

/** Not a literal in the import: bundlers would take the package along, which most projects never need. */
const CLIENT_PACKAGE: string = '@pixpress/client'

/**
 * The client of the remote interface, loaded when the first image goes to a service.
 * @throws PixpressError `REMOTE_UNAVAILABLE`
 */
export async function loadRemoteClient(): Promise<CreateRemoteClient> {
  try {
    const { createClient } = (await import(CLIENT_PACKAGE)) as { createClient: CreateRemoteClient }
    return createClient
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('REMOTE_UNAVAILABLE', `The package ${CLIENT_PACKAGE} cannot be loaded: ${reason}`, {
      cause: error,
    })
  }
}
