import '../../base/same-release.ts'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { openSession } from '../../session/registry.ts'
import { settingsFile } from './config.ts'
import type { ExportSettings } from './config.ts'
import { exportImages } from './export-images.ts'

const warn = (message: string): void => console.warn(`pixpress: ${message}`)

/** Lines of one kind that a person reads. */
const MOST_NAMED = 10

/**
 * Compresses the images of a site that Next.js has exported.
 * @param root absolute path of the project
 * @returns the exit code
 */
export async function exportSite(root: string): Promise<number> {
  const file = settingsFile(root)
  if (!existsSync(file)) {
    console.error(
      "pixpress-next: found no build of this project. Expected next.config to have withPixpress({ output: 'export', … }).",
    )
    return 2
  }
  const { options, out } = JSON.parse(readFileSync(file, 'utf8')) as ExportSettings
  const folder = path.resolve(root, out)
  if (!existsSync(folder)) {
    console.error(`pixpress-next: there is no folder '${out}': 'next build' has to come first.`)
    return 2
  }
  const { missing } = await exportImages(openSession(options, root), folder, warn)
  for (const url of missing.slice(0, MOST_NAMED)) {
    warn(`${url} is asked for by a page, but its image is not in '${out}'.`)
  }
  const unnamed = missing.length - MOST_NAMED
  if (unnamed > 0) warn(`${unnamed} more URLs of images that are not in '${out}' are asked for by pages.`)
  return missing.length === 0 ? 0 : 1
}
