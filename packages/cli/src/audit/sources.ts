import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_GLOB } from '@pixpress/core/internal'
import { compare } from '@pixpress/core/report'
import { glob } from 'tinyglobby'
import { applyEdits, lineAt } from '../migrate/edits.ts'
import { FOREIGN, LONGEST, SOURCES } from '../migrate/project.ts'
import type { FileChange } from '../migrate/project.ts'

/** The files of a project that pages are made of. */
export interface ProjectSources {
  /** Images, relative to the project with forward slashes, in order. */
  readonly images: readonly string[]
  /** Texts that may refer to them, by their names. */
  readonly texts: ReadonlyMap<string, string>
}

/** Of pages that are no project's. */
export const NO_SOURCES: ProjectSources = { images: [], texts: new Map() }

/** @param output folder that is no source, absolute */
export async function readSources(root: string, output: string | undefined): Promise<ProjectSources> {
  const inside = output === undefined ? '' : path.relative(root, output).split(path.sep).join('/')
  const ignore = [...FOREIGN, ...(inside === '' || inside.startsWith('..') ? [] : [`${inside}/**`])]
  const find = (pattern: string): Promise<string[]> => glob(pattern, { cwd: root, ignore, followSymbolicLinks: false })
  const texts = new Map<string, string>()
  for (const file of (await find(SOURCES)).sort(compare)) {
    const text = await readFile(path.join(root, file), 'utf8')
    if (text.length <= LONGEST) texts.set(file, text)
  }
  return { images: (await find(`**/${IMAGE_GLOB}`)).sort(compare), texts }
}

/** What bundlers and the command put behind a name: a width, a hash, or both. Words of people have neither digits nor capitals. */
const isSuffix = (text: string): boolean => /^(?:[-._~]\d{1,5})?(?:[-._~](?=[\w-]*[\dA-Z])[\w-]{6,})?$/.test(text)

const stemOf = (image: string): string => path.posix.parse(image).name

/**
 * The source of an image of the output, told by its name: `hero-Bx3k9a.avif` is made of `hero.jpg`, where no other image of
 * the project may have become that. `undefined` where that is not certain.
 */
export function sourceOf(url: string, images: readonly string[]): string | undefined {
  const { pathname } = new URL(url, 'http://localhost')
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

/** A literal that is to have other widths. */
export interface WidthEdit {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly source: string
  readonly before: string
  readonly after: string
}

/**
 * New widths for queries that are written out: `./hero.jpg?w=2400` in one place of the project, and no other image of that
 * name. What is not certain is left as it is.
 * @param widths by the source's name
 */
export function editWidths(
  { images, texts }: ProjectSources,
  widths: ReadonlyMap<string, readonly number[]>,
): { changes: FileChange[]; edits: WidthEdit[] } {
  const found = [...widths].flatMap(([source, wanted]) => {
    const base = path.posix.basename(source)
    if (images.filter((image) => path.posix.basename(image) === base).length !== 1) return []
    const places = [...texts].flatMap(([file, text]) => placesOf(text, base).map((place) => ({ file, text, ...place })))
    const [only, ...others] = places
    return only === undefined || others.length > 0 ? [] : [{ ...only, source, wanted }]
  })
  const edits: WidthEdit[] = []
  const byFile = new Map<string, { start: number; end: number; text: string }[]>()
  for (const { file, text, source, wanted, start, end, isSet } of found) {
    const before = text.slice(start, end)
    // Elsewhere the number of widths decides what an import is: one stays one, and a list stays as it is.
    const after = isSet ? wanted.join(';') : String(wanted.at(-1))
    if (!(isSet ? /^[\d;,]+$/ : /^\d+$/).test(before) || before === after) continue
    edits.push({ file, line: lineAt(text, start), source, before, after })
    byFile.set(file, [...(byFile.get(file) ?? []), { start, end, text: after }])
  }
  const changes = [...byFile].map(([file, each]) => {
    const before = texts.get(file)!
    return { file, before, after: applyEdits(before, each) }
  })
  return { changes, edits }
}

/** Queries that are given several widths at once. */
const SETS = /(?:^|&)as=(?:srcset|img|picture)(?:&|$)/

interface Place {
  /** Of the value of `w`, by UTF-16 offsets. */
  readonly start: number
  readonly end: number
  /** Whether the query takes any number of widths. */
  readonly isSet: boolean
}

/**
 * Where a text names the image in quotes or `url()`; with a query that has one `w`, the offsets of its value, else an empty
 * stretch, which counts as a place all the same.
 */
function placesOf(text: string, base: string): Place[] {
  const name = base.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const reference = new RegExp(
    String.raw`(?<=["'\x60(](?:[^"'\x60()\s?]*/)?)${name}(?:\?([^"'\x60()\s#]*))?(?=["'\x60)#])`,
    'g',
  )
  return [...text.matchAll(reference)].map(({ index, 0: whole, 1: query = '' }) => {
    const values = [...query.matchAll(/(?:^|&)w=([^&]*)/g)]
    const [only] = values
    if (only === undefined || values.length > 1) return { start: index, end: index, isSet: false }
    const start = index + whole.length - query.length + only.index + only[0].length - only[1]!.length
    return { start, end: start + only[1]!.length, isSet: SETS.test(query) }
  })
}
