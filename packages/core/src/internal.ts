/**
 * Names that the other packages of the project share with the engine. They are no part of the public interface and may
 * change with any version; `requireSameRelease` refuses packages of two versions. Each group lists the packages that
 * use it. A test checks every name against its group, and unused names are removed.
 */
import './machine/require-node.ts'

// unplugin, cli
// The plugin and the command: one project, its options, cache, lock and stores.
export { firstLine } from './base/errors.ts'
export { AUDIT_FILE, parseAudit } from './project/audit-file.ts'
export { openCache, openRunCache } from './cache/layers/open-cache.ts'
export { projectCacheFolder, projectFolder } from './project/folder.ts'
export { expectedSaving } from './drafts/saving.ts'
export { openRemoteEngine, resolveRemoteOptions } from './engines/remote/options.ts'
export type { CreateRemoteClient, ResolvedRemoteOptions } from './engines/remote/options.ts'
export { createPathMatcher } from './files/path-patterns.ts'
export { lookAtFile } from './files/read-file.ts'
export { promiseOf } from './report/promise.ts'
export { replaceFile } from './files/replace-file.ts'
export { DEFAULT_LIMITS } from './base/limits.ts'
export { EXTENSION_PATTERN, reachOf, typeOfExtension, typeOfWord } from './base/formats.ts'
export { lockFile, openLock, planLine } from './lock/index.ts'
export { openBuilt } from './lock/built.ts'
export type { Lock, LockLine } from './lock/index.ts'
export { resolveCacheSettings } from './optimizer/options.ts'
export type { ResolvedCacheSettings } from './optimizer/options.ts'
export { resolveBudgets } from './project/budgets.ts'
export { ADJUSTMENTS } from './operations/adjust.ts'
export { operationsOf } from './operations/index.ts'
export { oneOf } from './options/parsers.ts'
export { AUTO_TYPES, projectOperations } from './project/operations.ts'
export { parseOptions } from './options/row.ts'
export { PROJECT_OPTIONS } from './project/options/index.ts'
export { resolveImageStore } from './objects/image-store-options.ts'
export type { ResolvedImageStore } from './objects/image-store-options.ts'
export { createImageStore } from './objects/image-store.ts'
export type { ImageStore } from './objects/image-store.ts'
export { readLockedFormats } from './lock/index.ts'

// unplugin, astro, nuxt
// The plugin and our packages for frameworks: directives, imports and pages.
export { AUTO } from './operations/convert.ts'
export type { LockedFormats } from './lock/index.ts'
export { shownValue } from './base/shown-value.ts'
export { allowedUrls } from './net/url-patterns.ts'
export { addedWork } from './base/counters.ts'
export type { AuditedWidths } from './project/audit-file.ts'
export { bytesAtWidth, widthAtBytes } from './work/steps/byte-curve.ts'
export type { ByteCurve } from './work/steps/byte-curve.ts'
export { readBytes } from './files/read-file.ts'
export { openDrafting } from './drafts/index.ts'
export type { Drafting } from './drafts/index.ts'
export { extensionFor, formatOf, IMAGE_EXTENSIONS } from './base/formats.ts'
export { imageDetails, regionPoints } from './optimizer/image-details.ts'
export { exceptionsOf, noteAskedLines } from './lock/index.ts'
export { noteWhole } from './lock/built.ts'
export { withoutIt } from './base/faults.ts'
export { ASPECT } from './operations/aspect.ts'
export { colourFromText, opaqueColour } from './operations/colour.ts'
export { OPERATION_DIRECTIVES } from './operations/index.ts'
export { isOneOf } from './options/parsers.ts'
export { POSITION_SHORTHANDS, POSITION_WORDS, positionFromText } from './operations/position.ts'
export type { Rows } from './options/row.ts'
export type { ParsedProjectOptions } from './project/options/index.ts'
export { sharpDefaults } from './optimizer/sharp-defaults.ts'
export { encodeSrcsetUrl, parseSrcset } from './project/delivered/srcset.ts'
export { storeLocation } from './objects/store.ts'

// cli
// The command: files of a folder, flags, checks and the cache as a whole.
export { cut } from './base/shown-value.ts'
export { payloadsInPlace } from './optimizer/in-place.ts'
export type { PayloadsInPlace } from './optimizer/in-place.ts'
export { auditFileText } from './project/audit-file.ts'
export { cacheFolderStamps } from './cache/folder-stamps.ts'
export { ADVISORIES_OF } from './engines/local/advisories.ts'
export type { InstalledAdvisories } from './engines/local/advisories.ts'
export { cacheModeOf } from './cache/mode.ts'
export { CACHE_REMOTE, resolveCacheRemote } from './cache/remote/options.ts'
export type { ResolvedCacheRemote } from './cache/remote/options.ts'
export { inTurn } from './concurrency/in-turn.ts'
export { readWholeFile } from './files/read-file.ts'
export { FORMAT_NAMES, IMAGE_GLOB, INPUT_TYPES } from './base/formats.ts'
export { LOCK_NAME, readLockText } from './lock/index.ts'
export { nameIn, readWhole } from './lock/built.ts'
export type { WholeBuild } from './lock/built.ts'
export { codecFault, systemFault } from './base/faults.ts'
export { loadCodecs } from './engines/load-codecs.ts'
export { oldNode } from './machine/node-version.ts'
export { CACHE_SETTINGS } from './optimizer/options.ts'
export type { ResolvedBudget } from './project/budgets.ts'
export { parseDuration } from './options/duration.ts'
export { plainText, readEnvironment, wholeNumber } from './options/flags.ts'
export type { Flags, FlagValues } from './options/flags.ts'
export type { FlagTexts } from './operations/row.ts'
export { OPERATIONS } from './operations/index.ts'
export { code } from './options/parsers.ts'
export type { OptionRow } from './options/row.ts'
export { createKeys } from './plan/plan.ts'
export type { KeyOf } from './plan/plan.ts'
export { ENGINE_REVISION } from './base/versions.ts'
export { createLimit } from './concurrency/limit.ts'
export { encodePath } from './objects/path.ts'
export { refusal } from './objects/refusal.ts'
/**
 * Imports the code that copies results between a cache folder and a remote cache outside of builds. It is imported on
 * the first call because few commands need it.
 */
export const loadCacheTransfer = (): Promise<typeof import('./cache/remote/transfer.ts')> =>
  import('./cache/remote/transfer.ts')
/**
 * Imports the code that measures which images the pages of a folder deliver. It is imported on the first call because
 * few commands need it.
 */
export const loadDelivered = (): Promise<typeof import('./project/delivered/pages.ts')> =>
  import('./project/delivered/pages.ts')

// server
// The server: requests, stores and threads.
export { COMPRESSED_TYPES } from './base/formats.ts'
export { orientationOf } from './optimizer/image-details.ts'
export { availableMemory } from './concurrency/cpus.ts'
export { createSingleFlight } from './concurrency/single-flight.ts'
export { workingMemory } from './engines/local/memory.ts'
export { findSandbox } from './engines/local/sandbox.ts'
export { INTERFACE_TRANSFORM } from './operations/background.ts'
export { INTERFACE_RESIZE } from './operations/resize.ts'
export { refuseUnknownKeys } from './options/unknown-key.ts'
export { isStoreService, STORE_SERVICES } from './objects/index.ts'
export type { StoreService } from './objects/index.ts'

// server, cli, unplugin, astro, nuxt
// The server and others.
export { isPassingStatus, withRetries } from './net/retry.ts'
export type { Attempt } from './net/retry.ts'
export { FetchFailed, fetchBytes } from './net/fetch-bytes.ts'
export { createObjectClient } from './objects/client.ts'
export { engineVersions } from './base/versions.ts'
export { errorElement } from './objects/refusal.ts'
export { STORES } from './objects/index.ts'
export { sha256 } from './base/sha256.ts'
export { availableCpus } from './concurrency/cpus.ts'
export { invalidOption } from './base/errors.ts'
export { EVERYWHERE_TYPES, INPUT_ONLY, factsOf, isImageType } from './base/formats.ts'
export { installedAdvisories } from './engines/local/advisories.ts'
export { requireSameRelease } from './machine/same-release.ts'
export type { Release } from './machine/same-release.ts'
export { baseUrl, isLoopback } from './net/url.ts'
export { parseBytes } from './options/byte-size.ts'
export { describeFlags, parseFlags, UsageError } from './options/flags.ts'
export type { Flag } from './options/flags.ts'
export { OPERATION_FLAGS, operationsFromFlags, resolveOperations } from './operations/index.ts'
export { resultTypes } from './plan/plan.ts'
export { resultSize } from './resample/size.ts'
export { listed } from './options/parsers.ts'
export { didYouMean, nearest } from './options/unknown-key.ts'
