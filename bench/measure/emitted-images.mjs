import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { stemOfEmitted } from '../builds/output.mjs'
import { imagesBelow } from '../images/source-files.mjs'

/**
 * Reads the images that a build emitted, each with its source, in the order of the sources.
 * @throws Error if a source has no emitted image, or an emitted image no source
 */
export async function readEmittedImages(folder) {
  const sources = new Map()
  for (const file of await imagesBelow(path.join(folder, 'images'))) sources.set(path.parse(file).name, file)
  const emitted = []
  for (const file of await imagesBelow(path.join(folder, 'dist'))) {
    const stem = stemOfEmitted(path.basename(file))
    const source = sources.get(stem)
    if (source === undefined) throw new Error(`No source belongs to the emitted image ${path.basename(file)}.`)
    emitted.push({ stem, source, file })
  }
  const missing = [...sources.keys()].filter((stem) => !emitted.some((image) => image.stem === stem))
  if (missing.length > 0) throw new Error(`The build emitted nothing for ${missing.join(', ')}.`)
  const read = emitted.map(async ({ source, file }) => ({
    source,
    file,
    before: await readFile(source),
    after: await readFile(file),
  }))
  return (await Promise.all(read)).sort((a, b) => (a.source < b.source ? -1 : 1))
}

/** Counts the emitted bytes, and the images that have more bytes than their source. */
export function countBytes(emitted) {
  return {
    images: emitted.length,
    bytes: emitted.reduce((sum, { after }) => sum + after.length, 0),
    larger: emitted.filter(({ before, after }) => after.length > before.length).length,
  }
}

/** Counts the images to which a second build of unchanged sources gave other bytes or another name. */
export function countChanged(first, second) {
  return first.filter(({ source, file, after }) => {
    const again = second.filter((image) => image.source === source)
    return !again.some((image) => image.file === file && image.after.equals(after))
  }).length
}
