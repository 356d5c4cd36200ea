import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'

/** The repository's folder. */
export const ROOT: string = path.resolve(import.meta.dirname, '../..')

/**
 * Folders that hold nothing of the project's own, the starters of frameworks, whose pages are no documentation, and the
 * generated reports of public interfaces.
 */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  '.git',
  '.scratch',
  '.cache',
  'coverage',
  'projects',
  'api',
])

/** Every Markdown file of the repository, as paths relative to its folder. */
export async function markdownFiles(folder: string = ''): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const name = path.posix.join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(name)
      return entry.name.endsWith('.md') ? [name] : []
    }),
  )
  return found.flat().toSorted()
}

export const readPage = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8')

/** A page without its blocks of code. */
export const prose = (page: string): string => page.replaceAll(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '')

/** Returns the targets of the links and images of a page. */
export function linksOf(page: string): string[] {
  const withoutCode = prose(page).replaceAll(/`[^`\n]*`/g, '')
  const inline = [...withoutCode.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
  const definitions = [...withoutCode.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  return [...inline, ...definitions].map(([, target]) => target!)
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading] of prose(page).matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const text = heading!.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** Returns the text between backticks in a page's prose. */
export const codeOf = (page: string): string[] => [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)

/** The part of a page from one heading of the second level to the next. */
export function sectionOf(page: string, heading: string): string {
  const sections = page.split(/^## /m)
  const section = sections.find((each) => each.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`There is no section '${heading}'.`)
  return section
}
