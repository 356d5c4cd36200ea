import path from 'node:path'
import type { FinishedImage } from '../session/plan/images.ts'
import type { Session } from '../session/session.ts'

/**
 * The name of an image among those of its folder: `a.webp`, but `a_png.webp` and `a_jpg.webp` where `a.png` and `a.jpg`
 * stand side by side. Names without a hash would otherwise be equal, and which of them a bundler renames would depend
 * on which image was ready first.
 */
export async function distinctName(session: Session, image: Pick<FinishedImage, 'planned' | 'name'>): Promise<string> {
  const { file } = image.planned
  if (image.name === path.basename(file)) return image.name
  const stem = path.basename(file, path.extname(file))
  const { name, ext } = path.parse(image.name)
  const files = await session.files.readdir(path.dirname(file))
  const siblings = files.filter((sibling) => sibling !== path.basename(file))
  const isTaken = siblings.some((sibling) => {
    const sameName = sibling.toLowerCase() === image.name.toLowerCase()
    const sameStem = path.parse(sibling).name.toLowerCase() === stem.toLowerCase()
    return (sameName || sameStem) && session.matches(path.join(path.dirname(file), sibling))
  })
  return isTaken ? `${name}_${path.extname(file).slice(1)}${ext}` : image.name
}
