/**
 * The engine of pixpress: bytes → smaller bytes that still look right.
 *
 * The main path: `createOptimizer` (optimizer.ts) → `plan` (plan.ts) → cache (cache/) → an engine (engines/, remote/), by default a thread (threads/) → `runJob`
 * (engine/run.ts): probe → decode → encode candidates (engine/encoders/) → pick → metadata (metadata/).
 */
export { createOptimizer, optimize } from './optimizer.ts'
export type { Optimizer, OptimizerStats } from './optimizer.ts'
export type { FileCacheSettings, Limits, OptimizerOptions } from './options.ts'
export { createFileCache } from './cache/file-store.ts'
export type { FileCacheOptions } from './cache/file-store.ts'
export { createMemoryCache } from './cache/memory-store.ts'
export type { CacheEntry, CacheStore } from './cache/store.ts'
export type { EngineOutcome, EngineResult, ImageEngine } from './engines/image-engine.ts'
export { createRemoteEngine } from './remote/engine.ts'
export type { RemoteEngine, RemoteEngineOptions, RemoteFallback } from './remote/engine.ts'
export { openRemoteEngine, resolveRemoteOptions } from './remote/options.ts'
export type { CreateRemoteClient, RemoteOptions, ResolvedRemoteOptions } from './remote/options.ts'
export type { RemoteAccount, RemoteClient, RemoteCommands } from './remote/client.ts'
export type { RemoteLimit } from './remote/ledger.ts'
export type { RemoteKeyUsage, RemoteUsage } from './remote/usage.ts'
export { PixpressError, invalidOption } from './errors.ts'
export type { ErrorCode } from './errors.ts'
export { resolveOperations } from './operations.ts'
export { readWholeFile } from './read-file.ts'
export { replaceFile } from './replace-file.ts'
export { resizedSize } from './size.ts'
export type { Size } from './size.ts'
export { detectType } from './detect.ts'
export { didYouMean, nearest } from './suggest.ts'
export { availableCpus } from './concurrency/cpus.ts'
export { createImageStore } from './stores/image-store.ts'
export type { ImageStore, StoredImage } from './stores/image-store.ts'
export { resolveImageStore } from './stores/image-store-options.ts'
export type { ImageStoreOptions, ResolvedImageStore } from './stores/image-store-options.ts'
export { isStored, store, storeLocation } from './stores/index.ts'
export type {
  GcsStoreOptions,
  S3StoreOptions,
  Storable,
  StoreCall,
  StoreHeaders,
  StoreOptions,
} from './stores/index.ts'
export type * from './types.ts'
export * from './values.ts'
