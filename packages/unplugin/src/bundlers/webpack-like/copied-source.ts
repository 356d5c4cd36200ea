import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The file that a copied asset was made of. webpack's plugin names it from the project's folder, Rspack's from the
 * folder that is copied, which is then looked for among the project's own folders: the first by name that has such a
 * file of as many bytes.
 * @param context absolute path of the project
 * @param named what the asset says of its source
 * @param size bytes of the asset
 */
export function copiedSource(context: string, named: string, size: number): string {
  const usual = path.resolve(context, named)
  if (path.isAbsolute(named) || isFileOf(usual, size)) return usual
  const found = foldersOf(context)
    .map((folder) => path.join(context, folder, named))
    .find((file) => isFileOf(file, size))
  return found ?? usual
}

function isFileOf(file: string, size: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size === size
}

function foldersOf(context: string): string[] {
  try {
    return (
      readdirSync(context, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/^(?:node_modules|dist|build|out|\..*)$/.test(entry.name))
        .map(({ name }) => name)
        // The usual one first.
        .sort((a, b) => Number(b === 'public') - Number(a === 'public') || (a < b ? -1 : 1))
    )
  } catch {
    // The project may lie in another file system.
    return []
  }
}
