import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_GLOB } from '@pixpress/core/internal'
import { compare } from '@pixpress/core/report'
import { glob } from 'tinyglobby'
import { FOREIGN, LONGEST, SOURCES } from '@pixpress/migrate'
import { plainPath } from '../site/plain-path.ts'

/** The files of a project that pages are made of. */
export interface ProjectSources {
  /** Images, relative to the project with forward slashes, in order. */
  readonly images: readonly string[]
  /** Texts that may refer to them, by their names. */
  readonly texts: ReadonlyMap<string, string>
}

/** The files of pages that belong to no project. */
export const NO_SOURCES: ProjectSources = { images: [], texts: new Map() }

/** Texts that a server or a generator of pages fills in. */
const TEMPLATES = '**/*.{htm,ejs,erb,hbs,handlebars,mustache,njk,liquid,php,twig,jinja,j2,tmpl,gohtml,eta}'

/** @param output folder that is no source, absolute */
export async function readSources(root: string, output: string | undefined): Promise<ProjectSources> {
  const inside = output === undefined ? '' : path.relative(root, output).split(path.sep).join('/')
  const ignore = [...FOREIGN, ...(inside === '' || inside.startsWith('..') ? [] : [`${inside}/**`])]
  const find = (pattern: string | string[]): Promise<string[]> =>
    glob(pattern, { cwd: root, ignore, followSymbolicLinks: false })
  const texts = new Map<string, string>()
  for (const file of (await find([SOURCES, TEMPLATES])).sort(compare)) {
    const text = await readFile(path.join(root, file), 'utf8')
    if (text.length <= LONGEST) texts.set(file, text)
  }
  return { images: (await find(`**/${IMAGE_GLOB}`)).sort(compare), texts }
}

/**
 * Suffix that bundlers and the command add to a name: a width, a hash, or both. A word of a person has neither digits
 * nor capitals.
 */
const isSuffix = (text: string): boolean => /^(?:[-._~]\d{1,5})?(?:[-._~](?=[\w-]*[\dA-Z])[\w-]{6,})?$/.test(text)

const stemOf = (image: string): string => path.posix.parse(image).name

/**
 * Finds the source of an image of the output by its name: `hero-Bx3k9a.avif` is made of `hero.jpg`, unless another
 * image of the project could have become that too. Returns `undefined` if that is not certain.
 */
export function sourceOf(url: string, images: readonly string[]): string | undefined {
  const pathname = plainPath(new URL(url, 'http://localhost').pathname)
  // Dev servers have the source's own path.
  const own = images.filter(
    (image) => pathname === `/${image}` || pathname === `/${image.replace(/^(?:public|static)\//, '')}`,
  )
  if (own.length === 1) return own[0]
  const name = path.posix.parse(pathname).name
  const fitting = images.filter((image) => name.startsWith(stemOf(image)) && isSuffix(name.slice(stemOf(image).length)))
  const longest = Math.max(...fitting.map((image) => stemOf(image).length))
  const [only, ...others] = fitting.filter((image) => stemOf(image).length === longest)
  return others.length === 0 ? only : undefined
}
