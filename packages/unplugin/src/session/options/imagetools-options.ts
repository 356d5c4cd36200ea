import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import type { FilterPattern } from '@pixpress/core'

/** Options of vite-imagetools that are none here, and what takes their place. */
const REFUSED: Readonly<Record<string, string>> = {
  extendOutputFormats: "Write 'outputs': { name: (images, keys) => value } for 'as=name'.",
  extendTransforms:
    'What a function makes of pixels has no name under which it could be cached: work on the file before the build.',
  resolveConfigs: "Write a preset, or a function as 'defaultDirectives': both can ask for several images.",
}

/** Without `compat`, `removeMetadata` is as unknown as the others. */
const METADATA = "Metadata is removed in any case; 'preserve' keeps the copyright, the time and the place."

/** Describes what is looked at of the options. */
interface Readable {
  include?: FilterPattern
  exclude?: FilterPattern
  compat?: unknown
  cache?: unknown
  removeMetadata?: unknown
}

/**
 * The options as they are here: refuses what is vite-imagetools' alone, and with `compat: 'imagetools'` reads its
 * `cache`, `removeMetadata: true` and filters as they are meant there.
 * @throws PixpressError `INVALID_OPTION`, which says what takes the option's place
 */
export function fromImagetools<Options extends Readable>(options: Options): Options {
  if (typeof options !== 'object' || options === null) return options
  for (const [name, hint] of Object.entries(REFUSED)) if (Object.hasOwn(options, name)) throw refused(name, hint)
  const { removeMetadata, ...others } = options
  const isCompatible = options.compat === 'imagetools'
  if (removeMetadata !== undefined && !(isCompatible && removeMetadata === true))
    throw refused('removeMetadata', METADATA)
  if (!isCompatible) return options
  const { include, exclude, cache } = options
  const read = {
    ...others,
    ...(include !== undefined && { include: withoutQueries(include) }),
    ...(exclude !== undefined && { exclude: withoutQueries(exclude) }),
    ...(cache !== undefined && { cache: readCache(cache) }),
  }
  return read as unknown as Options
}

function refused(name: string, hint: string): PixpressError {
  return new PixpressError('INVALID_OPTION', `Option '${name}' of vite-imagetools is not supported. ${hint}`)
}

/** Its globs see the query of an import, and an empty one matches nothing; here they see the path. */
function withoutQueries(filter: FilterPattern): FilterPattern {
  const patterns: readonly unknown[] = Array.isArray(filter) ? filter : [filter]
  const read = patterns
    .filter((each) => each !== '')
    .map((each) => (typeof each === 'string' ? each.replace(/\\?\?\*+$/, '') : each))
  return [...new Set(read)] as FilterPattern
}

/** @throws PixpressError `INVALID_OPTION` */
function readCache(cache: unknown): unknown {
  if (typeof cache !== 'object' || cache === null) return cache
  const { enabled, retention, dir, ...others } = cache as { enabled?: unknown; retention?: unknown; dir?: unknown }
  if (retention !== undefined) {
    const hint = "Write 'cache': { maxSize: '1GB' }: beyond it, what was used least recently goes."
    throw refused('cache.retention', hint)
  }
  if (enabled === false) return false
  // Its folder is relative to where the command was started.
  const folder = typeof dir === 'string' ? path.resolve(dir) : dir
  return { ...others, ...(folder !== undefined && { dir: folder }) }
}
