import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { makeLargePhotographs } from '../images/large-photographs.mjs'
import { makeSiteImages } from '../images/site-images.mjs'
import { makeSmallImages } from '../images/small-images.mjs'
import { imagesBelow } from '../images/source-files.mjs'
import { writeImports, writeQueries, writeSite } from '../projects/site-project.mjs'
import { WIDTHS_QUERY } from './builds.mjs'

const EXAMPLES = path.resolve(import.meta.dirname, '../../examples/images')

/** The one photograph among the example PNG files; the others are drawings, logos and screenshots. */
const PNG_PHOTOGRAPH = 'coffee.png'

/**
 * Longer side, in pixels, of photographs that are saved as PNG. Large photographs are scaled down to it, which removes
 * JPEG's blocks; smaller ones keep their size.
 */
const PNG_SIDE = 1200

const MATERIALS = {
  site: { make: makeMixedSite, write: writeSite },
  thousand: { make: (into) => makeSmallImages(into, 1000), write: writeImports },
  widths: {
    make: (into) => makeLargePhotographs(into, { from: EXAMPLES, count: 1 }),
    write: (folder, names) => writeQueries(folder, names, WIDTHS_QUERY),
  },
  photographs: { make: (into) => savePngs(into, isPhotograph) },
  graphics: { make: (into) => savePngs(into, ({ name, ext }) => ext === '.png' && name + ext !== PNG_PHOTOGRAPH) },
}

/**
 * Puts a set of images, and the sources of a site that refers to them, into a folder.
 * @returns the images' absolute paths
 */
export async function prepareMaterial(name, folder) {
  const images = path.join(folder, 'images')
  await mkdir(images, { recursive: true })
  const { make, write } = MATERIALS[name]
  const names = await make(images)
  await write?.(folder, names, 'vite')
  return names.map((image) => path.join(images, image))
}

const isJpeg = ({ ext }) => ext === '.jpg'

const isPhotograph = (parts) => isJpeg(parts) || parts.name + parts.ext === PNG_PHOTOGRAPH

/** The images of site.mjs, and photographs as PNG, so that about half of all are PNG, as on real sites. */
async function makeMixedSite(into) {
  const names = await makeSiteImages(into)
  // They are mirrored, because the same pixels as JPEG and as PNG would become one file of the build.
  return [...names, ...(await savePngs(into, isJpeg, true))]
}

async function savePngs(into, isWanted, mirrored = false) {
  const names = []
  for (const file of await imagesBelow(EXAMPLES)) {
    const parts = path.parse(file)
    if (!isWanted(parts)) continue
    const name = `${parts.name}.png`
    const size = parts.ext === '.png' ? {} : { width: PNG_SIDE, height: PNG_SIDE }
    const resized = sharp(file)
      .autoOrient()
      .resize({ ...size, fit: 'inside', withoutEnlargement: true })
      .flop(mirrored)
    await writeFile(path.join(into, name), await resized.png({ compressionLevel: 6 }).toBuffer())
    names.push(name)
  }
  return names
}
