import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { prepareMaterial } from './first-build/materials.mjs'
import { imagesBelow } from './images/source-files.mjs'
import { readCommandLine } from './options.mjs'
import { measureImage } from './smallest/measure.mjs'
import { renderSmallest } from './smallest/report.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `What it costs to find the smallest format of each image, as a multiple of one plain AVIF encode.

  node smallest.mjs [options]

  --images FOLDER  images to use (default the site of first-build.mjs)
  --against FILE   compares the bytes and the work with those that --json wrote before
  --json FILE      also writes the figures as data
  --update         also writes the result into README.md`

const options = readCommandLine(
  USAGE,
  {
    images: { type: 'string' },
    against: { type: 'string' },
    json: { type: 'string' },
    update: { type: 'boolean', default: false },
  },
  (values) => values,
)
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-smallest-'))
try {
  const files = options.images === undefined ? await prepareMaterial('site', folder) : await imagesBelow(options.images)
  // Codecs are loaded, and their code compiled, before anything is measured.
  const extensions = [...new Set(files.map((file) => path.extname(file)))]
  for (const extension of extensions) {
    await measureImage(await readFile(files.find((file) => path.extname(file) === extension)))
  }
  const images = []
  for (const [index, file] of files.entries()) {
    process.stderr.write(`${index + 1} of ${files.length}: ${path.basename(file)}\n`)
    images.push({ name: path.basename(file), ...(await measureImage(await readFile(file))) })
  }
  const before = options.against && JSON.parse(await readFile(options.against, 'utf8')).images
  const markdown = renderSmallest(images, before)
  console.log(markdown)
  const figures = { version: 1, images }
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures, undefined, 2)}\n`)
  if (options.update) await updateReadme('smallest', markdown)
} finally {
  await rm(folder, { recursive: true, force: true })
}
