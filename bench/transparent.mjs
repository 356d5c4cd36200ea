import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createOptimizer } from '@pixpress/core'
import sharp from 'sharp'
import { parsedAlpha } from '../packages/core/dist/formats/avif/alpha-plane.js'
import { itemData } from '../packages/core/dist/formats/avif/metadata-items.js'
import { DRAWN } from './guards/drawn.mjs'
import { preparePictures } from './quality/pictures.mjs'
import { scoreOf } from './quality/score.mjs'
import { percent, table } from './report/markdown.mjs'

const USAGE = `Bytes and scores of AVIF files with transparency, by pixpress and by sharp.

  node transparent.mjs [folder or file…]

  folder or file   more pictures, of which those with transparency are taken`

const FOLDERS = [
  'examples/images',
  'examples/vite/src/brand',
  'packages/core/test/fixtures/cutouts/transparent',
  'test/fixtures/site/src/images',
].map((folder) => path.resolve(import.meta.dirname, '..', folder))

const more = readFolders()
const optimizer = createOptimizer()
const work = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
try {
  const pictures = await transparentPictures([...FOLDERS, await drawn(path.join(work, 'drawn')), ...more])
  const rows = []
  for (const picture of pictures) rows.push(await measure(picture))
  const head = ['picture', 'pixpress', 'of it alpha', 'score', 'sharp, quality 80', 'score', 'pixpress of sharp']
  console.log(table(head, [...rows.map(cellsOf), sumOf(rows)]))
  console.log(`\npixpress is smaller for ${rows.filter(({ own, peer }) => own < peer).length} of ${rows.length}.`)
} finally {
  await optimizer.close()
  await rm(work, { recursive: true, force: true })
}

/** Writes the drawn pictures of guards.mjs as files. */
async function drawn(into) {
  await mkdir(into)
  for (const [name, svg] of Object.entries(DRAWN)) await sharp(Buffer.from(svg)).toFile(path.join(into, `${name}.png`))
  return into
}

/** All pictures with transparency, each once. */
async function transparentPictures(folders) {
  const pictures = await preparePictures(folders, work, { limit: Infinity, maxPixels: Infinity })
  const isFirst = ({ png }, at) => pictures.findIndex((other) => other.png.equals(png)) === at
  return pictures.filter((picture, at) => picture.transparent && isFirst(picture, at))
}

async function measure(picture) {
  const { data } = await optimizer.optimize(picture.png, { convert: { type: 'image/avif' } })
  const plain = await sharp(picture.png).avif({ quality: 80 }).toBuffer()
  const { file, alpha } = parsedAlpha(data)
  return {
    name: picture.name,
    own: data.length,
    alpha: itemData(data, file, alpha).length,
    score: await scoreOf(data, picture),
    peer: plain.length,
    peerScore: await scoreOf(plain, picture),
  }
}

function cellsOf({ name, own, alpha, score, peer, peerScore }) {
  return [name, `${own}`, `${alpha}`, score.toFixed(1), `${peer}`, peerScore.toFixed(1), percent(own, peer)]
}

/** The sums of bytes, and the lowest scores. */
function sumOf(rows) {
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0)
  const lowest = (name) => Math.min(...rows.map((row) => row[name]))
  return cellsOf({
    name: 'sum, and lowest score',
    own: sum('own'),
    alpha: sum('alpha'),
    score: lowest('score'),
    peer: sum('peer'),
    peerScore: lowest('peerScore'),
  })
}

function readFolders() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
    if (!values.help) return positionals
    console.log(USAGE)
    return process.exit(0)
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
