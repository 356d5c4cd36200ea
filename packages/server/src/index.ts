/**
 * The image compression interface, served.
 *
 * The main path of a request: `createHttpServer` (http/http-server.ts) → `createApp` (routes/app.ts): key, rate, route
 * → `shrink` or `output` (routes/) → body or source (http/body.ts, source/) → queue and engine (routes/image-work.ts) →
 * bytes, record, count (storage/, accounts/) → answer.
 */
import './same-release.ts'
export { SERVER } from './same-release.ts'
export { serve } from './serve.ts'
export type { ServeHost } from './serve.ts'
export { startServer } from './server.ts'
export type { RunningServer } from './server.ts'
export { resolveSettings } from './settings/settings.ts'
export type { ServerSettings } from './settings/settings.ts'
export { FLAGS, helpText, readCommandLine } from './settings/flags.ts'
export type { CommandLine, FlagName, GivenSettings, NameOf, ServerFlag } from './settings/flags.ts'
export { KEYS_ACTIONS } from './keys/actions.ts'
export { KEYS_FLAGS, keysCommand } from './keys/command.ts'
export type { KeysHost } from './keys/command.ts'
export { STORAGE_ACTIONS, STORAGE_FLAGS, storageCommand } from './backup/command.ts'
export { hashKey, makeKey, parseKey } from './accounts/keys.ts'
export type { AccountKey } from './accounts/keys.ts'
export { createLog } from './telemetry/log.ts'
export type { Log, LogFields } from './telemetry/log.ts'
export { isPublicAddress } from './source/address.ts'
export { allowedSources } from './source/allowed-sources.ts'
export type { AllowedSources } from './source/allowed-sources.ts'
export { createGuardedLookup, guardSocket } from './source/guarded-lookup.ts'
export { BackendUnavailableError } from './storage/contract.ts'
export type * from './storage/contract.ts'
