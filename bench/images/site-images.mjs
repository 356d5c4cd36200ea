import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { imagesBelow, siteName } from './source-files.mjs'

const REPOSITORY = path.resolve(import.meta.dirname, '../..')
const FOLDERS = ['examples/images', 'test/fixtures/site/src/images'].map((folder) => path.join(REPOSITORY, folder))

/** Images of the generated site. */
const COUNT = 60

/** Smallest width in pixels of an image from which cuts are made: smaller ones would have to be scaled up. */
const CUT_FROM = 600

/** Parts and sizes that sites cut from their pictures, in pixels. The default `type` is that of the picture. */
const CUTS = [
  { name: 'card', width: 480, height: 320 },
  { name: 'avatar', width: 160, height: 160, position: 'north' },
  { name: 'banner', width: 600, height: 200, position: 'south' },
  { name: 'teaser', width: 400, height: 300, type: 'webp' },
  { name: 'thumbnail', width: 96, height: 96, type: 'png' },
  { name: 'portrait', width: 300, height: 400, type: 'jpeg', position: 'east' },
]

const ENCODE = {
  jpeg: { quality: 90 },
  png: { compressionLevel: 6 },
  webp: { quality: 90 },
}

/** Copies the images of a folder into the site. Returns their names there. */
export async function copyImages(from, into) {
  const files = await imagesBelow(from)
  if (files.length === 0) throw new Error(`There are no images below ${from}.`)
  return copyAll(files, into)
}

/**
 * Copies the repository's own images, and adds cuts of the larger ones in the sizes that sites use, until there are 60.
 * They are the same in every run. Returns their names.
 */
export async function makeSiteImages(into) {
  const files = (await Promise.all(FOLDERS.map(imagesBelow))).flat()
  const names = await copyAll(files, into)
  for (const { file, cut, type } of (await cuts(files)).slice(0, Math.max(0, COUNT - names.length))) {
    const name = siteName(names.length, `${path.parse(file).name}-${cut.name}.${type === 'jpeg' ? 'jpg' : type}`)
    await sharp(file)
      .autoOrient()
      .resize({ width: cut.width, height: cut.height, fit: 'cover', position: cut.position ?? 'centre' })
      .toFormat(type, ENCODE[type])
      .toFile(path.join(into, name))
    names.push(name)
  }
  return names
}

async function copyAll(files, into) {
  await mkdir(into, { recursive: true })
  const names = files.map((file, index) => siteName(index, file))
  await Promise.all(files.map((file, index) => copyFile(file, path.join(into, names[index]))))
  return names
}

/** Lists every cut of every large still picture: the first cut of all of them, then the second, … */
async function cuts(files) {
  const pictures = []
  for (const file of files) {
    const { format, width, pages = 1, autoOrient } = await sharp(file).metadata()
    if (pages === 1 && format in ENCODE && Math.min(width, autoOrient.width) >= CUT_FROM)
      pictures.push({ file, format })
  }
  return CUTS.flatMap((cut) => pictures.map(({ file, format }) => ({ file, cut, type: cut.type ?? format })))
}
