/**
 * The engine of pixpress: bytes → smaller bytes that still look right.
 *
 * The main path: `createOptimizer` (optimizer.ts) → `plan` (plan.ts) → cache (cache/) → an engine (engines/), by
 * default threads of this machine (engines/local/) → `runJob` (work/run.ts): header → decode or compose → candidates,
 * by the codec of each format (formats/) → selection → metadata. Until an image needs work, no codec is loaded.
 */
import './machine/require-node.ts'
export { createOptimizer, optimize } from './optimizer.ts'
export type { ImageSource } from './image-source.ts'
export type { Optimizer, OptimizerStats } from './optimizer.ts'
export type { Limits } from './limits.ts'
export type { FileCacheSettings, OptimizerOptions } from './optimizer-options.ts'
export { createFileCache } from './cache/file-store.ts'
export type { FileCache, FileCacheOptions } from './cache/file-store.ts'
export type { CacheMode } from './cache/mode.ts'
export type { CacheRemote, HttpCacheRemote, S3CacheRemote } from './cache/remote/options.ts'
export { createMemoryCache } from './cache/memory-store.ts'
export type { MemoryCache, MemoryCacheOptions } from './cache/memory-store.ts'
export type { CacheEntry, CacheStore } from './cache/store.ts'
export type { EngineOutcome, EngineResult, ImageEngine } from './engines/contract.ts'
export type { Job, JobResult } from './work/job.ts'
export { createRemoteEngine } from './engines/remote/engine.ts'
export type { RemoteEngine, RemoteEngineOptions, RemoteFallback } from './engines/remote/engine.ts'
export type { RemoteOptions } from './engines/remote/options.ts'
export type { RemoteAccount, RemoteClient, RemoteCommands } from './engines/remote/client.ts'
export type { RemoteLimit } from './engines/remote/ledger.ts'
export type { RemoteEndpointUsage, RemoteKeyUsage, RemoteUsage } from './engines/remote/usage.ts'
export { PixpressError } from './errors.ts'
export type { ErrorCode } from './errors.ts'
export type { Baseline, Judgement, MadeElsewhere } from './baseline.ts'
export { detectType } from './formats/detect.ts'
export type { FilterPattern } from './files/path-patterns.ts'
export type { FormatName, WritableName } from './formats/facts.ts'
export type { ImageDetails } from './image-details.ts'
export type { Budget } from './options/budgets.ts'
export type { OperationDirectives } from './options/operations.ts'
export type { Fallback, ProjectOptions } from './project-options.ts'
export type { GuardName } from './quality/guards/index.ts'
export type { ImageStoreOptions } from './stores/image-store-options.ts'
export { PLACEHOLDER_KINDS } from './placeholder/kinds.ts'
export type { Placeholder, PlaceholderKind } from './placeholder/kinds.ts'
export { isStored, store } from './stores/store.ts'
export type { Storable, StoreCall } from './stores/store.ts'
export type { StoreHeaders } from './stores/contract.ts'
export type { GcsStoreOptions } from './stores/gcs.ts'
export type { StoreOptions } from './stores/index.ts'
export type { S3StoreOptions } from './stores/s3.ts'
export type * from './types.ts'
export * from './options/values.ts'
export {
  ALPHA_TYPES,
  ANIMATED_TYPES,
  EXTENSIONS,
  IMAGE_TYPES,
  INPUT_TYPES,
  SAME_TYPE_ONLY,
  TYPE_ALIASES,
  WILDCARD_TYPES,
} from './formats/lists.ts'
