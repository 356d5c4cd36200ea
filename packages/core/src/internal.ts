/**
 * What the other packages of the project share with the engine. No part of the public interface: it changes with any version.
 */
import './machine/require-node.ts'
export { cacheFolderStamps } from './cache/folder-stamps.ts'
export { cacheModeOf } from './cache/mode.ts'
export type { CacheMode } from './cache/mode.ts'
export { openCache, openRunCache } from './cache/open-cache.ts'
export { projectCacheFolder, projectFolder } from './cache/project-folder.ts'
export { sha256 } from './cache/sha256.ts'
export { CACHE_REMOTE, resolveCacheRemote } from './cache/remote/options.ts'
export type { ResolvedCacheRemote } from './cache/remote/options.ts'
/** What goes between a folder and a remote outside of builds. Loaded when it is asked for. */
export const loadCacheTransfer = (): Promise<typeof import('./cache/remote/transfer.ts')> =>
  import('./cache/remote/transfer.ts')
export { availableCpus } from './concurrency/cpus.ts'
export { inTurn } from './concurrency/in-turn.ts'
export { createLimit } from './concurrency/limit.ts'
export type { Limit } from './concurrency/limit.ts'
export { CACHE_SETTINGS, resolveCacheSettings } from './optimizer-options.ts'
export type { ResolvedCacheSettings } from './optimizer-options.ts'
export { openRemoteEngine, resolveRemoteOptions } from './engines/remote/options.ts'
export type { CreateRemoteClient, ResolvedRemoteOptions } from './engines/remote/options.ts'
export { fromPlainError, toPlainError } from './engines/local/messages.ts'
export type { PlainError } from './engines/local/messages.ts'
export { firstLine, invalidOption } from './errors.ts'
export { INPUT_TYPES } from './formats/lists.ts'
export { codecFault, systemFault } from './machine/faults.ts'
export type { Fault } from './machine/faults.ts'
export { requireSameRelease } from './machine/same-release.ts'
export type { Release } from './machine/same-release.ts'
export { oldNode } from './machine/node-version.ts'
export { lookAtFile, readWholeFile } from './files/read-file.ts'
export { createPathMatcher } from './files/path-patterns.ts'
export type { FilterPattern } from './files/path-patterns.ts'
export { replaceFile } from './files/replace-file.ts'
export type { FormatName, WritableName } from './formats/facts.ts'
export {
  EVERYWHERE_TYPES,
  EXTENSION_PATTERN,
  FORMAT_NAMES,
  IMAGE_EXTENSIONS,
  IMAGE_GLOB,
  extensionFor,
  factsOf,
  formatOf,
  isImageType,
  typeOfExtension,
  typeOfWord,
} from './formats/lists.ts'
export { imageDetails, regionPoints } from './image-details.ts'
export type { ImageDetails } from './image-details.ts'
export { AUDIT_FILE, auditFileText, parseAudit } from './audit-file.ts'
export type { AuditedWidths } from './audit-file.ts'
export type { ByteCurve } from './byte-curve.ts'
export { bytesAtWidth, widthAtBytes } from './byte-curve.ts'
export { ENGINE_REVISION, engineVersions } from './versions.ts'
export { openDrafting } from './drafts/index.ts'
export type { Drafting } from './drafts/index.ts'
export { expectedSaving } from './drafts/saving.ts'
export { LOCK_NAME, exceptionsOf, lockFile, noteAskedLines, openLock, planLine, readLockText } from './lock/index.ts'
export type { Lock, LockLine } from './lock/index.ts'
export { createKeys, resultTypes } from './plan.ts'
export type { KeyOf } from './plan.ts'
export { isPassingStatus, withRetries } from './net/retry.ts'
export type { Attempt } from './net/retry.ts'
export { createS3Signer, s3ErrorElement } from './net/s3.ts'
export { baseUrl, isLoopback } from './net/url.ts'
export type { FlagTexts, OperationDirective } from './options/operation-row.ts'
export {
  OPERATIONS,
  OPERATION_DIRECTIVES,
  OPERATION_FLAGS,
  operationsFromFlags,
  operationsOf,
  resolveOperations,
} from './options/operations.ts'
export { resolveBudgets } from './options/budgets.ts'
/** What the pages of a folder deliver: loaded when it is asked for. */
export const loadDelivered = (): Promise<typeof import('./report/delivered/pages.ts')> =>
  import('./report/delivered/pages.ts')
export type { Budget, ResolvedBudget } from './options/budgets.ts'
export { AUTO } from './options/convert.ts'
export type { AutoConvert } from './options/convert.ts'
export type { OperationDirectives, ProjectOperations } from './options/operations.ts'
export { AUTO_TYPES, projectOperations } from './options/project-operations.ts'
export { code, isOneOf, listed, oneOf, plainObject } from './options/parsers.ts'
export { ADJUSTMENTS } from './options/adjust.ts'
export type { AdjustmentRow } from './options/adjust.ts'
export { ASPECT } from './options/aspect.ts'
export type { Aspect } from './options/aspect.ts'
export { INTERFACE_TRANSFORM } from './options/background.ts'
export { colourFromText, opaqueColour } from './options/colour.ts'
export { POSITION_SHORTHANDS, POSITION_WORDS, positionFromText } from './options/position.ts'
export { INTERFACE_RESIZE } from './options/resize.ts'
export { PROJECT_OPTIONS } from './project-option-rows.ts'
export type { Fallback, ParsedProjectOptions, ProjectOptions } from './project-options.ts'
export { parseOptions } from './options/row.ts'
export type { OptionRow, Rows } from './options/row.ts'
export { parseBytes } from './options/byte-size.ts'
export { parseDuration } from './options/duration.ts'
export { describeFlags, parseFlags, plainText, readEnvironment, wholeNumber } from './options/flags.ts'
export type { Flag, FlagValues, Flags } from './options/flags.ts'
export { didYouMean, nearest, refuseUnknownKeys, unknownKey } from './options/unknown-key.ts'
export { resolveImageStore } from './stores/image-store-options.ts'
export type { ResolvedImageStore } from './stores/image-store-options.ts'
export { createImageStore } from './stores/image-store.ts'
export type { ImageStore, StoredImage } from './stores/image-store.ts'
export { STORES, STORE_SERVICES, isStoreService } from './stores/index.ts'
export type { StoreService } from './stores/index.ts'
export { storeLocation } from './stores/store.ts'
export { resultSize } from './resample/size.ts'
export type { Size } from './resample/size.ts'
export { sharpDefaults } from './sharp-defaults.ts'
export { encodeSrcsetUrl, parseSrcset } from './srcset.ts'
