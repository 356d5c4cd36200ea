import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_FOLDER, stemOfEmitted } from '../builds/output.mjs'
import { imagesBelow } from '../images/source-files.mjs'

/** Kinds of browsers, and the image types that each does not read. */
export const BROWSERS = { avif: [], webp: ['image/avif'], neither: ['image/avif', 'image/webp'] }

/**
 * Measures the images that browsers of each kind load from a built site: for each place, the first type that they
 * support.
 * @param folder absolute path of the project, built into `dist/`
 * @returns for each kind of browser the bytes of all images, and of those that pages, stylesheets and scripts refer to
 * @throws Error if a browser would never load a source's image, or load it in several types, or load one that does not
 * exist
 */
export async function measureLoads(folder) {
  const dist = path.join(folder, 'dist')
  const sources = new Set((await imagesBelow(path.join(folder, 'images'))).map((file) => path.parse(file).name))
  const entries = await readdir(dist, { recursive: true, withFileTypes: true })
  const texts = { page: '', stylesheet: '', script: '' }
  for (const entry of entries.filter((each) => each.isFile())) {
    const place = PLACES[path.extname(entry.name)]
    if (place !== undefined) texts[place] += await readFile(path.join(entry.parentPath, entry.name), 'utf8')
  }
  const loads = {}
  for (const [browser, unread] of Object.entries(BROWSERS)) {
    const names = {
      page: loadedByPage(texts.page, unread),
      stylesheet: loadedByStylesheet(texts.stylesheet, unread),
      script: namesIn(texts.script),
    }
    check(browser, Object.values(names).flat(), sources)
    const bytes = {}
    for (const [place, list] of Object.entries(names)) bytes[place] = await sizeOf(dist, list)
    loads[browser] = { ...bytes, all: bytes.page + bytes.stylesheet + bytes.script }
  }
  return { loads }
}

const PLACES = { '.html': 'page', '.css': 'stylesheet', '.js': 'script' }

/** Names of emitted images: bundlers give them a hash, and a base or `../` stands before the folder. */
const namesIn = (text) => [...new Set([...text.matchAll(EMITTED)].map(([, name]) => name))]
const EMITTED = new RegExp(String.raw`\b${IMAGE_FOLDER}/([\w-]+\.[\w-]+\.(?:jpe?g|png|webp|avif|gif|svg))`, 'g')

/** A picture shows its first source of a type that is read, else its image. */
function loadedByPage(html, unread) {
  const shown = html.replace(/<picture\b[^>]*>([^]*?)<\/picture>/g, (picture, inside) => {
    const sources = inside.match(/<source\b[^>]*>/g) ?? []
    return sources.find((source) => !unread.some((type) => source.includes(`"${type}"`))) ?? lastImage(picture)
  })
  return namesIn(shown)
}

const lastImage = (picture) => /<img\b[^>]*>/.exec(picture)[0]

/** An `image-set()` shows its first image of a type that is read, and takes the place of the declaration before it. */
function loadedByStylesheet(css, unread) {
  const rules = css.matchAll(/\{([^{}]*)\}/g)
  return [...rules].flatMap(([, declarations]) => {
    const set = /image-set\(([^]*)\)/.exec(declarations)
    if (set === null) return namesIn(declarations)
    const types = set[1].split(/,(?=\s*url\()/)
    // The last is the image's own type, which stands there in any case.
    return namesIn(types.find((each) => !unread.some((type) => each.includes(type))) ?? types.at(-1))
  })
}

function check(browser, names, sources) {
  const stems = names.map(stemOfEmitted)
  const missing = [...sources].filter((stem) => !stems.includes(stem))
  const twice = stems.filter((stem, index) => stems.indexOf(stem) !== index)
  if (missing.length > 0 || twice.length > 0)
    throw new Error(
      `With '${browser}', ${[...missing, ...twice].join(', ')} would be loaded never or in several types.`,
    )
}

async function sizeOf(dist, names) {
  const sizes = names.map(async (name) => (await stat(path.join(dist, IMAGE_FOLDER, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
