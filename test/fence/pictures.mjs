/** The pictures of the fence: committed files, and others that are made of them in the same way each time. */
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { animation, graphic, photo, transparentGraphic } from '../../packages/testkit/src/images.ts'

const workspace = path.resolve(import.meta.dirname, '../..')
const fixtures = 'packages/core/test/fixtures'

/** Folders of small files, each of which is compressed. */
const FOLDERS = ['apng', 'conformance', 'credentials', 'inputs', 'jxl', 'meaning', 'metadata', 'properties', 'svg']

/** Folders of the other committed pictures that rows of `cases.mjs` name. */
const NAMED = [
  'examples/images',
  'examples/vite/src/brand',
  'packages/core/test/encoding/fixtures/pages',
  `${fixtures}/cutouts/composites`,
  `${fixtures}/cutouts/transparent`,
  `${fixtures}/guards`,
  'test/fixtures/site/src/images',
  'test/fixtures/site/src/images/gallery',
]

const IMAGE = /\.(?:avif|bmp|gif|heic|jpe?g|jxl|png|svg|tiff?|webp)$/

/** The small files as `folder/name`. */
export const SMALL = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(workspace, fixtures, folder))
    .filter((name) => IMAGE.test(name))
    .sort()
    .map((name) => `${folder}/${name}`),
)

const committed = new Map([
  ...SMALL.map((name) => [name, `${fixtures}/${name}`]),
  ...NAMED.flatMap((folder) =>
    readdirSync(path.join(workspace, folder))
      .filter((name) => IMAGE.test(name))
      .map((name) => [name, `${folder}/${name}`]),
  ),
])

/** Opens a part of a committed picture. */
function part(name, left, top, width, height) {
  return sharp(path.join(workspace, committed.get(name))).extract({ left, top, width, height })
}

const words = 'Opening hours: Monday to Friday, 9 to 17. Prices include tax. '

/** Lines of text in one colour, as a page shows them: paths, as machines have different fonts. */
function lineArt(width, height) {
  const lines = Array.from({ length: 60 }, (_, at) => {
    const y = (height * (at + 0.5)) / 60
    const wave = Array.from({ length: 24 }, (__, step) => {
      const code = words.charCodeAt((at * 7 + step) % words.length)
      return `L${((width * (step + 1)) / 25).toFixed(1)} ${(y + (code % 13) - 6).toFixed(1)}`
    })
    return `<path d="M0 ${y.toFixed(1)}${wave.join('')}" stroke-width="${1 + (at % 3)}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none" stroke="#123">${lines.join('')}</svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' })
}

/** Pictures of 0.5 to 2 megapixels in formats, depths and colour spaces that no committed file of that size has. */
const MADE = {
  'fig-left.tiff': () => part('fig.jpg', 0, 300, 900, 1100).tiff({ compression: 'lzw' }).toBuffer(),
  'fig-right.png': () => part('fig.jpg', 1400, 500, 1000, 700).png({ compressionLevel: 3 }).toBuffer(),
  'fig-p3.jpg': () => part('fig.jpg', 600, 200, 1280, 960).withIccProfile('p3').jpeg({ quality: 94 }).toBuffer(),
  'fig-deep.png': () =>
    part('fig.jpg', 1000, 800, 900, 700).toColourspace('rgb16').png({ compressionLevel: 3 }).toBuffer(),
  'fig-deep.avif': () => part('fig.jpg', 200, 200, 1000, 800).avif({ bitdepth: 10, quality: 85, effort: 1 }).toBuffer(),
  'sunrise-grey.jpg': () => part('sunrise.jpg', 200, 100, 1200, 800).greyscale().jpeg({ quality: 92 }).toBuffer(),
  'sunrise.webp': () => part('sunrise.jpg', 0, 0, 1200, 900).webp({ quality: 92 }).toBuffer(),
  'meadow-tall.jpg': () =>
    part('meadow.jpg', 0, 600, 1134, 1100).withMetadata({ orientation: 6 }).jpeg({ quality: 90 }).toBuffer(),
  'meadow.png': () => part('meadow.jpg', 100, 100, 900, 700).png({ compressionLevel: 3 }).toBuffer(),
  'mountains-cmyk.jpg': () =>
    part('mountains.jpg', 0, 0, 1000, 700).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer(),
  'hills-part.png': () => part('hills@2x.png', 300, 200, 1300, 900).png({ compressionLevel: 3 }).toBuffer(),
  'hills.gif': () => part('hills.png', 0, 0, 1000, 700).gif({ dither: 0, effort: 3 }).toBuffer(),
  'dashboard-part.png': () => part('dashboard.png', 0, 0, 1280, 900).png({ compressionLevel: 3 }).toBuffer(),
  'dashboard-palette.png': () =>
    part('dashboard.png', 1200, 800, 1200, 900).png({ palette: true, colours: 128, dither: 0, effort: 3 }).toBuffer(),
  'dashboard-grey.png': () =>
    part('dashboard.png', 400, 900, 1000, 700).toColourspace('b-w').png({ compressionLevel: 3 }).toBuffer(),
  'chart-half.png': () => part('chart.png', 0, 0, 900, 1000).ensureAlpha(0.6).png({ compressionLevel: 3 }).toBuffer(),
  'chart.webp': () => part('chart.png', 300, 0, 1200, 1000).webp({ lossless: true, effort: 1 }).toBuffer(),
  'lines.png': () => lineArt(1000, 800).png({ compressionLevel: 3 }).toBuffer(),
  'lines-1bit.png': () =>
    lineArt(1200, 900).threshold().png({ palette: true, colours: 2, dither: 0, effort: 1 }).toBuffer(),
  'drawn-photo.png': () => photo(900, 600, 5).png(),
  'boxes.png': () => graphic(1100, 800, 3).png(),
  'boxes-transparent.png': () => transparentGraphic(1000, 700, 4).png(),
  'small-photo.jpg': () => photo(240, 160, 7).jpeg(),
  'small-boxes.png': () => transparentGraphic(200, 140, 8).png(),
  'travelling.gif': () => animation(160, 120, 6).gif(),
  'travelling.webp': () => animation(200, 150, 5, 2).webp(),
}

/** Returns the bytes of a picture by its name. */
export async function picture(name) {
  if (name in MADE) return MADE[name]()
  const file = committed.get(name)
  if (file === undefined) throw new Error(`No folder of the fence has a picture '${name}'.`)
  return readFileSync(path.join(workspace, file))
}
