import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const CONFIGURATION = /^[\w-]+[.-]config\.(?:[cm]?[jt]s|json)$/
const PATTERNS = /["']?\bglobPatterns["']?\s*:\s*\[([^\]]*)\]/g
const RASTER = /[.{,](?:png|jpe?g|gif|webp|avif)\b/

/**
 * Finds the globs of a service worker's list of files that name images but no image of a format that the build writes.
 * Plugins do not hand their globs on, so they are read from the project's configuration files.
 * @returns a sentence for each file that has some
 */
export function missedByGlobs(root: string, extension: string): string[] {
  return configurations(root).flatMap(({ name, text }) => {
    const globs = [...text.matchAll(PATTERNS)].flatMap(([, list]) =>
      [...list!.matchAll(/(["'`])(.*?)\1/g)].map(([, , glob]) => glob!),
    )
    const missing = globs.filter((glob) => RASTER.test(glob))
    if (missing.length === 0 || globs.some((glob) => new RegExp(String.raw`\b${extension}\b|\*$`).test(glob))) return []
    const named = missing.map((glob) => `'${glob}'`).join(', ')
    return [
      `A service worker does not precache .${extension} files: add '**/*.${extension}' to globPatterns in ${name} (${named}).`,
    ]
  })
}

function configurations(root: string): { name: string; text: string }[] {
  try {
    const entries = readdirSync(root, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && CONFIGURATION.test(entry.name))
      .map(({ name }) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }))
  } catch {
    // A project in a file system of the bundler's own has no folder on the disk. A missing hint must not fail a build.
    return []
  }
}
