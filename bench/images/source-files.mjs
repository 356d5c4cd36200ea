import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

const IMAGE = /\.(?:jpe?g|png|webp|avif|gif|svg)$/i

export const isImage = (file) => IMAGE.test(file)

/**
 * Absolute paths of every image below a folder, in the order of their relative paths; `node_modules` is left out. A
 * file gives its own path.
 */
export async function imagesBelow(folder) {
  if ((await stat(folder)).isFile()) return [folder]
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && isImage(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.split('/').includes('node_modules'))
    .sort()
    .map((file) => path.join(folder, file))
}

/**
 * Returns a name for the image in the site that no other image has. Bundlers put it into the names of emitted files, so
 * it leads from there back to the source.
 */
export function siteName(index, file) {
  const { name, ext } = path.parse(file)
  const plain = name.replaceAll(/[^\w-]+/g, '-')
  return `${String(index).padStart(4, '0')}-${plain}${ext.toLowerCase()}`
}
