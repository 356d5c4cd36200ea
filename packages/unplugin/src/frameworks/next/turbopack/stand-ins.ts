/**
 * Files that stand for what Turbopack makes by a loader and no project has: a loader cannot emit, but what it returns
 * for one of these becomes a module or a file like any other.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Stands for the module of an import with directives. */
export const REQUEST_NAME = 'request.pixpress'

/** Types that an import may ask for, as the extensions of files. */
export const MADE_EXTENSIONS = ['avif', 'gif', 'jpg', 'jxl', 'png', 'webp'] as const

/** Says what a stand-in is for to whoever opens it. */
const CONTENT = 'pixpress puts an image or a module in the place of this file.\n'

/**
 * The folder of stand-ins. Files in `node_modules` are neither watched nor linted, and Turbopack makes no placeholders
 * of images there, which nobody would see.
 * @param root absolute path of the project
 */
export const standInFolder = (root: string): string => path.join(root, 'node_modules', '.cache', 'pixpress', 'next')

/** Writes the stand-ins, before Turbopack looks at the folder. Those that are there already stay as they are. */
export function writeStandIns(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of [REQUEST_NAME, ...MADE_EXTENSIONS.map((extension) => `image.${extension}`)]) {
    const file = path.join(folder, name)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== CONTENT) writeFileSync(file, CONTENT)
  }
}
