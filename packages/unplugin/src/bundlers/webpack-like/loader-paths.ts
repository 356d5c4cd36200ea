/**
 * Where the loaders are, for the bundlers to load by themselves. The build leaves this file out of bundles, beside
 * them.
 */
import { fileURLToPath } from 'node:url'

/** Bytes of an image → bytes of the result. */
export const IMAGE_LOADER: string = fileURLToPath(new URL('./image-loader.js', import.meta.url))

/** A picture of a data URL, or a JSON file with such pictures → the same with smaller pictures. */
export const INSIDE_LOADER: string = fileURLToPath(new URL('./inside-loader.js', import.meta.url))

/** An import with directives → the module that it stands for. */
export const MODULE_LOADER: string = fileURLToPath(new URL('./module-loader.js', import.meta.url))
