import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_FOLDER, stemOfEmitted } from '../builds/output.mjs'
import { imagesBelow } from '../images/source-files.mjs'

/**
 * Measures the images that a browser loads from a built site.
 * @param folder absolute path of the project, built into `dist/`
 * @returns the bytes of all images, and of those that pages, stylesheets and scripts refer to
 * @throws Error if a source's image would be loaded never or in several formats, or does not exist
 */
export async function measureLoads(folder) {
  const dist = path.join(folder, 'dist')
  const sources = new Set((await imagesBelow(path.join(folder, 'images'))).map((file) => path.parse(file).name))
  const entries = await readdir(dist, { recursive: true, withFileTypes: true })
  const names = { page: [], stylesheet: [], script: [] }
  for (const entry of entries.filter((each) => each.isFile())) {
    const place = PLACES[path.extname(entry.name)]
    if (place === undefined) continue
    const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8')
    names[place].push(...new Set([...text.matchAll(EMITTED)].map(([, name]) => name)))
  }
  check(Object.values(names).flat(), sources)
  const bytes = {}
  for (const [place, list] of Object.entries(names)) bytes[place] = await sizeOf(dist, list)
  return { loads: { ...bytes, all: bytes.page + bytes.stylesheet + bytes.script } }
}

const PLACES = { '.html': 'page', '.css': 'stylesheet', '.js': 'script' }

/** Names of emitted images: bundlers give them a hash, and a base or `../` stands before the folder. */
const EMITTED = new RegExp(String.raw`\b${IMAGE_FOLDER}/([\w-]+\.[\w-]+\.(?:jpe?g|png|webp|avif|gif|svg))`, 'g')

function check(names, sources) {
  const stems = names.map(stemOfEmitted)
  const missing = [...sources].filter((stem) => !stems.includes(stem))
  const twice = stems.filter((stem, index) => stems.indexOf(stem) !== index)
  if (missing.length > 0 || twice.length > 0)
    throw new Error(`${[...missing, ...twice].join(', ')} would be loaded never or in several formats.`)
}

async function sizeOf(dist, names) {
  const sizes = names.map(async (name) => (await stat(path.join(dist, IMAGE_FOLDER, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
