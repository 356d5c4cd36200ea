import type { ImageBuild } from './image-build.ts'
import { INSIDE_LOADER } from './loader-paths.ts'

/** Types of the raster images in data URLs, as these say it. */
const RASTER = /^image\/(?!svg)/i

/** Notes which file holds a data URL: loaders are not told, and of several files the first in order is named. */
export function noteHolder({ holders }: ImageBuild, request: string, issuer: string | undefined): void {
  if (!/^data:image\//i.test(request) || issuer === undefined) return
  const file = issuer.replace(/^.*!/s, '').replace(/[?#].*$/s, '')
  const known = holders.get(request)
  if (known === undefined || file < known) holders.set(request, file)
}

/**
 * Rules for pictures that stand inside of texts: a data URL of a stylesheet or page is a module of its own, and a JSON
 * file is read before it becomes one.
 * @param identity of the build
 */
export function insideRules(identity: string): object[] {
  const use = [{ loader: INSIDE_LOADER, options: { build: identity }, ident: `pixpress-inside-${identity}` }]
  return [
    { scheme: 'data', mimetype: RASTER, use },
    { test: /\.json$/i, enforce: 'pre', use },
  ]
}
