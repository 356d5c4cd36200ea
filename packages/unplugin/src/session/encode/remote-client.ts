import { PixpressError } from '@pixpress/core'
import { requireSameRelease } from '@pixpress/core/internal'
import type { CreateRemoteClient } from '@pixpress/core/internal'
import { UNPLUGIN } from '../../base/same-release.ts'

/** Not a literal in the import: bundlers would take the package along, which most projects never need. */
const CLIENT_PACKAGE: string = '@pixpress/client'

/**
 * The client of the remote interface, loaded when the first image goes to a service.
 * @throws PixpressError `REMOTE_UNAVAILABLE`, or `MACHINE_UNFIT` where the client is of another release
 */
export async function loadRemoteClient(): Promise<CreateRemoteClient> {
  const { createClient, VERSION } = await loadPackage()
  requireSameRelease(UNPLUGIN, { name: CLIENT_PACKAGE, version: VERSION })
  return createClient
}

interface ClientPackage {
  readonly createClient: CreateRemoteClient
  readonly VERSION: string
}

async function loadPackage(): Promise<ClientPackage> {
  try {
    return (await import(CLIENT_PACKAGE)) as ClientPackage
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('REMOTE_UNAVAILABLE', `The package ${CLIENT_PACKAGE} cannot be loaded: ${reason}`, {
      cause: error,
    })
  }
}
