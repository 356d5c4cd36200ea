/**
 * The engine of pixpress: bytes → smaller bytes that still look right.
 *
 * The main path: `createOptimizer` (optimizer/) → `plan` (plan/) → cache (cache/) → an engine (engines/), by
 * default threads of this machine (engines/local/) → `runJob` (work/run.ts): header → decode or compose → candidates,
 * by the codec of each format (formats/) → selection → metadata. Until an image needs work, no codec is loaded.
 */
import './machine/require-node.ts'
export { createOptimizer, optimize } from './optimizer/index.ts'
export type { ImageSource } from './base/image-source.ts'
export type { Optimizer } from './optimizer/index.ts'
export type { OptimizerStats } from './optimizer/results.ts'
export type { Limits } from './base/limits.ts'
export type { FileCacheSettings, OptimizerOptions } from './optimizer/options.ts'
export { createFileCache } from './cache/file-store.ts'
export type { FileCache, FileCacheOptions } from './cache/file-store.ts'
export type { CacheMode } from './cache/mode.ts'
export type { CacheRemote, HttpCacheRemote, S3CacheRemote } from './cache/remote/options.ts'
export { createMemoryCache } from './cache/memory-store.ts'
export type { MemoryCache, MemoryCacheOptions } from './cache/memory-store.ts'
export type { CacheEntry, CacheStore } from './cache/store.ts'
export type { EngineOutcome, EngineResult, ImageEngine } from './engines/contract.ts'
export type { Job, JobResult, Judgement, RefusedResult } from './work/steps/job.ts'
export type { MaterializeExtras, OptimizeResult } from './optimizer/result.ts'
export type { Plan } from './plan/plan.ts'
export { createRemoteEngine } from './engines/remote/engine.ts'
export type { RemoteEngine, RemoteEngineOptions, RemoteFallback } from './engines/remote/engine.ts'
export type { RemoteOptions } from './engines/remote/options.ts'
export type { RemoteAccount, RemoteClient, RemoteCommands } from './engines/remote/client.ts'
export type { RemoteLimit } from './engines/remote/ledger.ts'
export type { RemoteEndpointUsage, RemoteKeyUsage, RemoteUsage } from './engines/remote/usage.ts'
export { PixpressError } from './base/errors.ts'
export type { ErrorCode } from './base/errors.ts'
export type { Baseline, MadeElsewhere } from './optimizer/baseline.ts'
export { detectType } from './base/detect.ts'
export type { FilterPattern } from './files/path-patterns.ts'
export type { FormatName, WritableName } from './base/format-names.ts'
export type { ImageDetails } from './optimizer/image-details.ts'
export type { Budget } from './project/budgets.ts'
export type { Adjustments, ResolvedAdjustments } from './operations/adjust.ts'
export type { Aspect } from './operations/aspect.ts'
export type { Background, TransformOptions } from './operations/background.ts'
export type { Colour } from './operations/colour.ts'
export type { ConvertOptions, ConvertType } from './operations/convert.ts'
export type { EncoderSettings, ResolvedEncoderSettings, ResolvedSettings } from './operations/encoder-settings.ts'
export type { OperationDirectives, Operations, ResolvedOperations } from './operations/index.ts'
export type { Point, ResolvedResize, Strategy } from './base/resize.ts'
export type { Position } from './operations/position.ts'
export type { InterfaceResize, ResizeOptions } from './operations/resize.ts'
export type { ResolvedSvgoConfig, SvgoConfig } from './operations/svgo-config.ts'
export type { ProjectOptions } from './project/options/index.ts'
export type { GuardName } from './quality/guards/index.ts'
export type { ImageStoreOptions } from './objects/image-store-options.ts'
export { PLACEHOLDER_KINDS } from './placeholder/kinds.ts'
export type { Placeholder, PlaceholderKind } from './placeholder/kinds.ts'
export { isStored, store } from './objects/store.ts'
export type { Storable, StoreCall } from './objects/store.ts'
export type { StoreHeaders } from './objects/contract.ts'
export type { AzureStoreOptions } from './objects/azure.ts'
export type { GcsStoreOptions } from './objects/gcs.ts'
export type { StoreOptions } from './objects/index.ts'
export type { S3StoreOptions } from './objects/s3.ts'
export type * from './base/types.ts'
export * from './base/values.ts'
export {
  ALPHA_TYPES,
  ANIMATED_TYPES,
  EXTENSIONS,
  IMAGE_TYPES,
  INPUT_TYPES,
  SAME_TYPE_ONLY,
  TYPE_ALIASES,
  WILDCARD_TYPES,
} from './base/formats.ts'
