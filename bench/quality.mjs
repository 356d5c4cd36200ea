import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './measure/versions.mjs'
import { compare } from './quality/compare.mjs'
import { preparePictures } from './quality/pictures.mjs'
import { renderQuality } from './quality/tables.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `Bytes and SSIMULACRA2 scores of pixpress and of other tools on the same pictures, per format.

  node quality.mjs [folder…] [options]

  folder           images to take (default: those of examples/images)
  --promise N      the score that pixpress is asked for (default 80)
  --type NAME      jpeg, webp, avif, jxl or png (default all); may be repeated
  --limit N        the most pictures, spread evenly over all (default 24)
  --max-megapixels N  larger pictures are scaled down to it (default 1)
  --parallel N     pictures worked on at once (default 2)
  --json FILE      also writes the figures as data
  --update         also writes the result into README.md`

const PROJECT_IMAGES = path.resolve(import.meta.dirname, '../examples/images')

const { folders, promise, types, limit, maxPixels, parallel, json, update } = readOptions()
const work = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
try {
  const pictures = await preparePictures(folders, work, { limit, maxPixels })
  if (pictures.length === 0) throw new Error('There is no still bitmap in these folders.')
  const compared = await compare(pictures, { promise, types, parallel })
  const result = {
    version: 1,
    benchmark: 'quality',
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(['unplugin-pixpress', 'sharp', 'vite-plugin-image-optimizer']),
    promise,
    pictures: pictures.length,
    pixels: pictures.reduce((total, { pixels }) => total + pixels.width * pixels.height, 0),
    ...compared,
  }
  const markdown = renderQuality(result)
  console.log(markdown)
  if (json !== undefined) await writeFile(json, `${JSON.stringify(result, undefined, 2)}\n`)
  if (update) await updateReadme('quality', markdown)
} finally {
  await rm(work, { recursive: true, force: true })
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        promise: { type: 'string', default: '80' },
        type: { type: 'string', multiple: true, default: ['jpeg', 'webp', 'avif', 'jxl', 'png'] },
        limit: { type: 'string', default: '24' },
        'max-megapixels': { type: 'string', default: '1' },
        parallel: { type: 'string', default: '2' },
        json: { type: 'string' },
        update: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    const known = ['jpeg', 'webp', 'avif', 'jxl', 'png']
    for (const type of values.type)
      if (!known.includes(type)) throw new Error(`--type takes one of ${known.join(', ')}, not '${type}'.`)
    return {
      folders: positionals.length > 0 ? positionals : [PROJECT_IMAGES],
      promise: positive('promise', values.promise),
      types: values.type.map((type) => `image/${type}`),
      limit: Math.ceil(positive('limit', values.limit)),
      maxPixels: positive('max-megapixels', values['max-megapixels']) * 1e6,
      parallel: Math.ceil(positive('parallel', values.parallel)),
      json: values.json,
      update: values.update,
    }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}

function positive(name, text) {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0, not '${text}'.`)
  return value
}
