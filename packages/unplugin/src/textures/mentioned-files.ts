import path from 'node:path'
import type { Mention } from './reading.ts'

/** Finds the PNGs of a project that a mention means. */
export interface MentionedFiles {
  /** @param from absolute path of the file that has the mention. @returns absolute paths */
  of(mention: Mention, from: string): readonly string[]
}

/**
 * @param files absolute paths of the project's PNGs
 * @param roots folders whose files have URLs from the server's root: the project's own, and those that are copied
 */
export function createMentionedFiles(files: readonly string[], roots: readonly string[]): MentionedFiles {
  const known = new Set(files)
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const name = path.basename(file).toLowerCase()
    byName.set(name, [...(byName.get(name) ?? []), file])
  }

  function withName(name: string): readonly string[] {
    if (!name.includes('*')) return byName.get(name.toLowerCase()) ?? []
    return files.filter((file) => matches(path.basename(file), name))
  }

  /**
   * Tells whether URLs of the project may begin in a folder: a base or a prefix of a template may then stand before
   * them.
   */
  const isRoot = (folder: string): boolean => roots.some((root) => folder === root || path.dirname(folder) === root)

  return {
    of({ url, kind }, from) {
      const parts = partsOf(url)
      const name = parts.at(-1)
      // A name that is wholly put together by a program says nothing without a folder.
      if (name === undefined || (/^\*+\.png$/i.test(name) && parts.length === 1)) return []
      const beside = path.resolve(path.dirname(from), decoded(url))
      if (known.has(beside)) return [beside]
      const named = withName(name)
      // Models hold paths of the machine that made them.
      if (kind === 'model') return named.filter((file) => isBelow(path.dirname(path.dirname(from)), file))
      const found = named
        .map((file) => ({ file, ...commonEnd(file, parts) }))
        .filter(
          ({ folder, common }) => common === parts.length || (isRoot(folder) && (!name.startsWith('*') || common > 1)),
        )
      return nearest(
        found,
        parts.some((part) => part.includes('*')),
      )
    },
  }
}

interface Found {
  readonly file: string
  /** How many of the last parts of path and URL are equal. */
  readonly common: number
  /** The folder that the rest of the path is. */
  readonly folder: string
}

function commonEnd(file: string, parts: readonly string[]): Omit<Found, 'file'> {
  let folder = file
  let common = 0
  while (common < parts.length && matches(path.basename(folder), parts.at(-1 - common)!)) {
    folder = path.dirname(folder)
    common++
  }
  return { common, folder }
}

/** Those that share most with the URL; of equal ones the least deep, as their URL is that of the server's root. */
function nearest(found: readonly Found[], isPattern: boolean): readonly string[] {
  const most = Math.max(...found.map(({ common }) => common))
  const best = found.filter(({ common }) => common === most)
  const least = Math.min(...best.map(({ folder }) => depth(folder)))
  return best.filter(({ folder }) => isPattern || depth(folder) === least).map(({ file }) => file)
}

const depth = (folder: string): number => folder.split(path.sep).length

function partsOf(url: string): string[] {
  const rooted = decoded(url).replace(/^(?:[a-z][\w+.-]*:)?\/\/[^/]*/i, '')
  const parts = rooted.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..')
  // An alias (`@/`, `~/`) or a base that is put before it says nothing of the folder.
  while (parts.length > 1 && /^(?:[@~#]|\*+)$/.test(parts[0]!)) parts.shift()
  return parts
}

function decoded(url: string): string {
  const plain = url.replace(/[?#].*$/, '')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** @param pattern a part of a URL, where `*` stands for anything */
function matches(part: string, pattern: string): boolean {
  if (!pattern.includes('*')) return part.toLowerCase() === pattern.toLowerCase()
  const literal = pattern.split('*').map((each) => each.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('.*')}$`, 'i').test(part)
}

const isBelow = (folder: string, file: string): boolean => !path.relative(folder, file).startsWith('..')
