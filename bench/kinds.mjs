/** Tests with labelled pictures what tells photographs from drawings. See README.md. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { runnerImport } from 'vite'
import { downloadPictures } from './peers/pictures.mjs'

const USAGE = `Looks at every labelled picture again, and counts what it is taken for.

  node kinds.mjs [options]

  --set FOLDER   the pictures of the rows 'set:', which are not part of the repository (default: their rows as they are)
  --update       also writes the figures into the table`

const ROOT = path.resolve(import.meta.dirname, '..')
const CORE = path.join(ROOT, 'packages/core')
const TABLE = path.join(CORE, 'test/encoding/picture-kinds.tsv')
const FIGURES = ['equal', 'soft', 'busy', 'edges', 'slopes', 'textures', 'lines']

const options = readOptions()
const [pictures, kinds] = await Promise.all(
  ['picture.ts', 'picture-kind.ts'].map(
    async (file) => (await runnerImport(path.join(CORE, 'src/encoding', file))).module,
  ),
)
const [head, ...rows] = (await readFile(TABLE, 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-kinds-'))
try {
  const files = await packagedFiles()
  const measured = []
  for (const row of rows) {
    const file = fileOf(row[0], files)
    measured.push(file === undefined ? row : await measure(row, file))
  }
  printCounts(measured.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]]))))
  const lines = [head, ...measured].map((row) => row.join('\t'))
  if (options.update) await writeFile(TABLE, `${lines.join('\n')}\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Returns the files of packages by the names that the table has for them. */
async function packagedFiles() {
  const images = path.join(folder, 'images')
  const downloaded = await downloadPictures(images)
  return new Map(downloaded.map((each) => [`npm:${each.package}/${each.file}`, path.join(images, each.name)]))
}

/** @returns `undefined` for a picture of the set without its folder */
function fileOf(name, packaged) {
  if (name.startsWith('set:')) return options.set && path.join(options.set, name.slice('set:'.length))
  if (!name.startsWith('npm:')) return path.join(ROOT, name)
  const file = packaged.get(name)
  if (file === undefined) throw new Error(`${name} is none of the pictures of peers/pictures.tsv.`)
  return file
}

async function measure([name, , label], file) {
  const bytes = await readFile(file)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const pixels = await decode(bytes)
  const { graphic, muted, paletted, grey } = pictures.createPicture(pixels)
  const colours = graphic || muted ? (paletted ? 'palette' : 'few') : 'many'
  const look = kinds.lookAt(pixels)
  const figures = FIGURES.map((figure) => (100 * look[figure]).toFixed(2))
  return [name, digest, label, colours, grey ? 'grey' : 'colour', ...figures]
}

/** Decodes to sRGB, without an alpha channel where all pixels are opaque. */
async function decode(bytes) {
  const upright = await sharp(bytes).autoOrient().toColourspace('srgb').png({ compressionLevel: 0 }).toBuffer()
  const { isOpaque } = await sharp(upright).stats()
  const image = isOpaque ? sharp(upright).removeAlpha() : sharp(upright).ensureAlpha()
  const { data, info } = await image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

function printCounts(all) {
  console.log(['taken for drawings of', 'all', 'by colours alone', 'by colours and look'].join('\t'))
  for (const label of new Set(all.map((row) => row.label))) {
    const of = all.filter((row) => row.label === label)
    const byColours = of.filter(({ colours }) => colours !== 'many')
    console.log([label, of.length, byColours.length, of.filter(isDrawing).length].join('\t'))
  }
  for (const row of all) {
    const expected = { photograph: false, drawing: true, screenshot: true }[row.label]
    if (expected !== undefined && expected !== isDrawing(row)) console.log(`missed: ${row.picture} (${row.label})`)
  }
}

function isDrawing(row) {
  const look = Object.fromEntries(FIGURES.map((figure) => [figure, Number(row[figure]) / 100]))
  const facts = { paletted: row.colours === 'palette', grey: row.grey === 'grey' }
  return row.colours !== 'many' && !kinds.isLikePhotograph(look, facts)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        set: { type: 'string' },
        update: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    return values
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
