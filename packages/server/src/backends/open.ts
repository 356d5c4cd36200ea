import type { ServerSettings } from '../settings/settings.ts'
import { openLocalBackend } from './local.ts'
import type { Backend } from './types.ts'

/** @throws BackendUnavailableError */
export async function openBackend({ data, rate, shared }: ServerSettings): Promise<Backend> {
  if (shared === undefined) return openLocalBackend({ folder: data, rate })
  // Loaded when it is used: one machine needs neither client.
  const { openSharedBackend } = await import('./redis-s3.ts')
  return openSharedBackend({ ...shared, rate })
}
