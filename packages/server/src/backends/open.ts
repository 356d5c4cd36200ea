import { PixpressError } from '@pixpress/core'
import type { ServerSettings } from '../settings/settings.ts'
import { openLocalBackend } from './local.ts'
import type { Backend } from './types.ts'

/** @throws BackendUnavailableError, or PixpressError `INVALID_OPTION` */
export async function openBackend({ data, rate, shared }: ServerSettings): Promise<Backend> {
  if (shared === undefined) return openLocalBackend({ folder: data, rate })
  throw new PixpressError('INVALID_OPTION', 'Redis and S3 are not part of this build.')
}
