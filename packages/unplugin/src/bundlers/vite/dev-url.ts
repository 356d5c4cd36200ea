import path from 'node:path'
import { splitUrl } from '../../references/url.ts'
import type { ImageIdentity } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import type { ViteProject } from './project.ts'

/** Where the dev server answers planned images: `<base>@pixpress/<id>/<name>`. */
const PLANNED = /^\/@pixpress\/([\da-f]{16})\/[^/]+$/

/** The URL at which the dev server encodes a planned image when it is asked for. It changes with the image. */
export function devUrl({ config }: ViteProject, { id, stem, extension, file }: ImageIdentity): string {
  const name = `${stem}.${extension ?? path.extname(file).slice(1)}`
  return `${origin(config)}${config.base}@pixpress/${id}/${encodeURIComponent(name)}`
}

/** The URL at which the dev server has the untouched file. */
export function devOriginalUrl({ config }: ViteProject, file: string): string {
  const relative = relativePath(config.root, file)
  const isOutside = relative.startsWith('../') || path.isAbsolute(relative)
  const urlPath = isOutside ? `@fs/${file.split(path.sep).join('/').replace(/^\//, '')}` : relative
  return `${origin(config)}${config.base}${urlPath.split('/').map(encodeSegment).join('/')}?original`
}

/** Vite looks for its own prefix and the letter of a drive (`/@fs/C:/…`) before it resolves percent escapes. */
const encodeSegment = (segment: string, at: number): string =>
  (at === 0 && segment === '@fs') || (at === 1 && /^[a-z]:$/i.test(segment)) ? segment : encodeURIComponent(segment)

/** The id that a request's path, without the base, asks for. */
export function plannedId(urlPath: string): string | undefined {
  return PLANNED.exec(urlPath)?.[1]
}

/** A request's URL without the base, percent escapes resolved; `undefined` when it is none of this server's. */
export function withoutBase(base: string, url: string): { path: string; query: string } | undefined {
  const { path: urlPath, query } = splitUrl(url)
  if (!urlPath.startsWith(base)) return undefined
  try {
    const decoded = decodeURIComponent(urlPath.slice(base.length - 1))
    return decoded.includes('\0') ? undefined : { path: path.posix.normalize(decoded), query }
  } catch {
    // Not UTF-8 behind the percent signs: Vite answers what it answers to such requests.
    return undefined
  }
}

function origin(config: ViteProject['config']): string {
  return config.server.origin ?? ''
}
