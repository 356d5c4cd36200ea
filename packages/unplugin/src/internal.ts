/** What our packages for frameworks share with the plugin. No part of the public interface: it changes with any version. */
export { compressCopies } from './bundlers/copied-images.ts'
export { askedOperations } from './frameworks/asked-image.ts'
export type { AskedImage } from './frameworks/asked-image.ts'
export { mimeType } from './session/data-url.ts'
export type { FinishedImage, Warn } from './session/images.ts'
export { relativePath } from './session/paths.ts'
export { openSession } from './session/registry.ts'
export type { Session } from './session/session.ts'
