/**
 * The image compression interface, served.
 *
 * The main path of a request: `createHttpServer` (http/http-server.ts) → `createApp` (api/app.ts): key, rate, route →
 * `shrink` or `output` (api/) → body or source (http/body.ts, source/) → queue and engine (api/image-work.ts) → bytes,
 * record, count (backends/) → answer.
 */
export { serve } from './serve.ts'
export type { ServeHost } from './serve.ts'
export { startServer } from './server.ts'
export type { RunningServer } from './server.ts'
export { resolveSettings } from './settings/settings.ts'
export type { ServerSettings } from './settings/settings.ts'
export { FLAGS, helpText, readCommandLine } from './settings/flags.ts'
export type { CommandLine, Flag, FlagName, GivenSettings } from './settings/flags.ts'
export { hashKey, makeKey, parseKey } from './settings/keys.ts'
export type { AccountKey } from './settings/keys.ts'
export { createLog } from './observability/log.ts'
export type { Log, LogFields } from './observability/log.ts'
export { isPublicAddress } from './source/address.ts'
export { allowedSources } from './source/allowed-sources.ts'
export type { AllowedSources } from './source/allowed-sources.ts'
export { createGuardedLookup, guardSocket } from './source/guarded-lookup.ts'
export { BackendUnavailableError } from './backends/types.ts'
export type * from './backends/types.ts'
