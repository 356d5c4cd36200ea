import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FinishedImage, Session } from './session.ts'

/**
 * The name of an image among those of its folder: `a.webp`, but `a_png.webp` and `a_jpg.webp` where `a.png` and `a.jpg`
 * stand side by side. Names without a hash would otherwise be equal, and which of them a bundler renames would depend on
 * which image was ready first.
 */
export async function distinctName(session: Session, image: Pick<FinishedImage, 'planned' | 'name'>): Promise<string> {
  const { file } = image.planned
  if (image.name === path.basename(file)) return image.name
  const stem = path.basename(file, path.extname(file))
  const { name, ext } = path.parse(image.name)
  const siblings = filesOf(path.dirname(file)).filter((sibling) => sibling !== path.basename(file))
  const isTaken = siblings.some((sibling) => {
    const sameName = sibling.toLowerCase() === image.name.toLowerCase()
    const sameStem = path.parse(sibling).name.toLowerCase() === stem.toLowerCase()
    return (sameName || sameStem) && session.matches(path.join(path.dirname(file), sibling))
  })
  return isTaken ? `${name}_${path.extname(file).slice(1)}${ext}` : image.name
}

const listings = new Map<string, { mtimeMs: number; files: readonly string[] }>()

/** Read once for all the images of a folder, and again when the folder has changed. */
function filesOf(folder: string): readonly string[] {
  const { mtimeMs } = statSync(folder)
  let listing = listings.get(folder)
  if (listing?.mtimeMs !== mtimeMs) {
    listing = { mtimeMs, files: readdirSync(folder) }
    listings.set(folder, listing)
  }
  return listing.files
}
