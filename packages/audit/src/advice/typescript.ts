import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { glob } from 'tinyglobby'
import { FOREIGN } from '@pixpress/migrate'
import type { FileChange } from '@pixpress/migrate'

const OURS = 'unplugin-pixpress/client'
const LINE = `/// <reference types="${OURS}" />\n`

/** Scripts that TypeScript checks, components among them. */
const isTyped = ({ file, after }: FileChange): boolean =>
  /\.[cm]?tsx?$/i.test(file) || (/\.(?:vue|svelte|astro)$/i.test(file) && /<script[^>]*\blang=["']ts/i.test(after))

/** An import of an image with a query, which TypeScript knows by our types alone. */
const QUERY = /(?:from|import|require)\s*\(?\s*["'][^"'\n]+\?[^"'\n]*\b(?:w|format|as)=[^"'\n]*["']/

/**
 * Adds the line that loads the types of imports with directives, where the changes give TypeScript the first of these
 * to check: to the file that loads the bundler's types, else to the script itself.
 */
export async function typeEdits(
  project: string,
  texts: ReadonlyMap<string, string>,
  changes: readonly FileChange[],
): Promise<readonly FileChange[]> {
  const typed = changes.filter((each) => isTyped(each) && QUERY.test(each.after) && !QUERY.test(each.before))
  const [first] = typed
  if (first === undefined || [...texts.values()].some((text) => text.includes(OURS))) return changes
  const configured = await glob('**/tsconfig*.json', { cwd: project, ignore: [...FOREIGN], followSymbolicLinks: false })
  for (const file of configured) {
    if ((await readFile(path.join(project, file), 'utf8')).includes(OURS)) return changes
  }
  const bundlers = [...texts].find(
    ([file, text]) => file.endsWith('.d.ts') && /reference types="[\w/-]*client"/.test(text),
  )
  const script = changes.find((each) => typed.includes(each) && /\.[cm]?tsx?$/i.test(each.file))
  if (bundlers !== undefined) {
    const [file, before] = bundlers
    return [...changes, { file, before, after: before.replace(/(?<=reference types="[\w/-]*client"[^\n]*\n)|$/, LINE) }]
  }
  if (script === undefined) return changes
  return changes.map((each) => (each === script ? { ...each, after: LINE + each.after } : each))
}
