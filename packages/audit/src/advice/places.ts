import path from 'node:path'
import { plainPath } from '../site/plain-path.ts'
import type { ProjectSources } from '../sources/sources.ts'
import type { AdvicePlugin, FoundTarget } from './plugin.ts'

/** A place of the project's texts that refers to one of its images. */
export interface Place {
  readonly file: string
  readonly target: FoundTarget
  /** Relative to the project, with forward slashes. */
  readonly image: string
  /** True if the finished page has the very URL that is written here, so that no parser of the build has read it. */
  readonly isUnread?: boolean
}

/** Folders that bundlers copy as they are, and below which URLs from the root are found. */
const PUBLIC = ['public', 'static']

/** Prefixes that starters of frameworks set up, with the folder that each stands for. */
const ALIASES: readonly (readonly [prefix: RegExp, folder: string])[] = [
  [/^~?@\//, 'src/'],
  [/^~?@\//, 'app/'],
  [/^~?@\//, ''],
  [/^~\//, 'src/'],
  [/^~\//, 'app/'],
  [/^~\//, ''],
  [/^\$lib\//, 'src/lib/'],
  [/^#\//, 'src/'],
]

/** Every place of the texts that refers to an image of the project. */
export function findPlaces({ images, texts }: ProjectSources, { findTargets }: AdvicePlugin): Place[] {
  const known = new Set(images)
  const names = images.map((image) => path.posix.basename(image))
  return [...texts].flatMap(([file, text]) => {
    // Most texts name no image.
    if (!names.some((name) => text.includes(name) || text.includes(encodeURI(name)))) return []
    return findTargets(file, text).flatMap((target): Place[] => {
      const found = target.urls.map(({ url }) => imageOf(url, file, known))
      const [first] = found
      if (first === undefined || found.some((each) => each?.image !== first.image)) return []
      const kind = first.isPublic && target.kind !== 'template' ? 'public' : target.kind
      return [{ file, image: first.image, target: { ...target, kind } }]
    })
  })
}

interface Resolved {
  readonly image: string
  /** True if the build copies it as it is. */
  readonly isPublic: boolean
}

/** The image that a URL of a text means; `undefined` where it is none of the project's, or nobody can be certain. */
function imageOf(url: string, file: string, known: ReadonlySet<string>): Resolved | undefined {
  const written = plainPath(url.replace(/[?#].*$/, ''))
  const own = (image: string): Resolved | undefined => (known.has(image) ? { image, isPublic: false } : undefined)
  if (!written.startsWith('/')) {
    const beside = path.posix.join(path.posix.dirname(file), written.replace(/^~(?=[^/@])/, ''))
    const aliased = ALIASES.filter(([prefix]) => prefix.test(written)).flatMap(([prefix, folder]) =>
      parents(file).map((parent) => `${parent}${folder}${written.replace(prefix, '')}`),
    )
    return [beside, ...aliased].map(own).find((each) => each !== undefined) ?? byEnding(written, known)
  }
  for (const parent of parents(file)) {
    for (const folder of PUBLIC) {
      const image = `${parent}${folder}${written}`
      if (known.has(image)) return { image, isPublic: true }
    }
    const found = own(`${parent}${written.slice(1)}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** An alias that nobody has heard of: the one image whose path ends as what is behind it does. */
function byEnding(written: string, known: ReadonlySet<string>): Resolved | undefined {
  const [first = '', ...others] = written.split('/')
  if (/^\.{1,2}$/.test(first) || others.length === 0) return undefined
  const ending = `/${others.join('/')}`
  const [only, ...more] = [...known].filter((image) => `/${image}`.endsWith(ending))
  return only === undefined || more.length > 0 ? undefined : { image: only, isPublic: false }
}

/** The folders above a file, the nearest first, each with a `/` behind it. */
function parents(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/')}/`), '']
}
