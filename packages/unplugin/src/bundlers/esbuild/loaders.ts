import path from 'node:path'
import { IMAGE_EXTENSIONS } from '@pixpress/core/internal'
import type { BuildOptions, Loader } from 'esbuild'

/** Loaders that hand over bytes. The others take the file for code or drop it: nothing to do for an image plugin. */
const BYTE_LOADERS: ReadonlySet<Loader> = new Set(['file', 'copy', 'dataurl', 'base64', 'binary', 'text'])

/** The loader that an image is to go through; `undefined` when that is none for images. */
export type LoaderOf = (file: string) => Loader | undefined

/**
 * Gives every image extension without a loader the loader `file`: a build for which `.png` is set up then also takes
 * the `.webp` that comes of it. The loader of an image is that of its source's extension, which is what the user has
 * set up.
 */
export function addImageLoaders(options: BuildOptions): LoaderOf {
  const loaders: Record<string, Loader> = { ...options.loader }
  for (const extension of IMAGE_EXTENSIONS) loaders[`.${extension}`] ??= 'file'
  options.loader = loaders
  return (file) => {
    const loader = loaderFor(path.basename(file), loaders) ?? 'file'
    return BYTE_LOADERS.has(loader) ? loader : undefined
  }
}

/** The loader is looked up as in esbuild: `.icon.svg` beats `.svg`. */
function loaderFor(name: string, loaders: Readonly<Record<string, Loader>>): Loader | undefined {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const loader = loaders[name.slice(dot)]
    if (loader !== undefined) return loader
  }
  return undefined
}
