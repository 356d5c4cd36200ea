import type { Context, Hono } from 'hono'
import type { AppEnv } from '../http/context.ts'
import type { Backend } from '../storage/contract.ts'
import type { UploadMemory } from '../http/upload-memory.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { ServerSettings } from '../settings/settings.ts'
import type { Accounting } from '../accounts/accounting.ts'
import type { ImageWork } from './image-work.ts'
import type { StoreOutput } from './store-output.ts'

/** The services that the app calls; `startServer` makes them once. */
export interface Services {
  readonly settings: Pick<
    ServerSettings,
    'limits' | 'retention' | 'cacheSize' | 'sources' | 'allowedOrigins' | 'isPersonal'
  >
  /** Tells the absolute URL of this server, without a slash at the end. */
  readonly origin: (c: Context<AppEnv>) => string
  readonly keys: KeyRing
  readonly backend: Backend
  readonly accounting: Accounting
  readonly work: ImageWork
  readonly memory: UploadMemory
  readonly store: StoreOutput
  /** The routes of the delivery; `undefined` where nothing is delivered. */
  readonly delivery?: Hono<AppEnv> | undefined
  readonly metrics: Metrics
  readonly log: Log
  readonly tracing: Tracing
  /** Tells whether new requests should go to another machine. */
  readonly draining: () => boolean
  /** Milliseconds since 1970. */
  readonly clock: () => number
}
