/**
 * These names are shared by our packages for frameworks. No part of the public interface: it changes with any
 * version.
 */
import './base/same-release.ts'
export { adviseOn, findElements, findTargets } from './advice/index.ts'
export { compressCopies } from './copies/copied-images.ts'
export { askedOperations, unaskedTypes } from './frameworks/asked-image.ts'
export type { AskedImage } from './frameworks/asked-image.ts'
export { convertPages } from './frameworks/convert-pages.ts'
export { addEndpoint } from './inspector/endpoints.ts'
export type { ReplacedTool } from './session/report/baselines.ts'
export { cacheWithoutRemote } from './session/options/cache-without-remote.ts'
export { mimeType } from './session/encode/data-url.ts'
export type { FinishedImage, Warn } from './session/plan/images.ts'
export { relativePath } from './base/paths.ts'
export { decodePath } from './references/url.ts'
export { UNPLUGIN } from './base/same-release.ts'
export { targetsIn } from './session/options/auto-formats.ts'
export { openSession } from './session/registry.ts'
export type { Session } from './session/session.ts'
