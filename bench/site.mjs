import path from 'node:path'
import { copyImages, makeSiteImages } from './images/site-images.mjs'
import { benchmark } from './measure/benchmark.mjs'
import { readOptions } from './options.mjs'
import { writeSite } from './projects/site-project.mjs'
import { publish } from './report/publish.mjs'

const USAGE = `Builds one site with pixpress and with its peers: time, memory, bytes, quality.

  node site.mjs [options]

  --runs N           builds per tool, cold and warm; the median counts (default 3)
  --images FOLDER    the images of this folder instead of the repository's own
  --bundler NAME     vite or webpack (default both); may be repeated
  --tool NAME        only this tool, and no plugin; may be repeated
  --json FILE        also writes the result as data
  --update           also writes the result into README.md`

const options = readOptions(USAGE, { images: { type: 'string' } })
const { images: folder, contenders, runs } = options

const { images, results } = await benchmark({
  makeImages: (into) => (folder === undefined ? makeSiteImages(into) : copyImages(path.resolve(folder), into)),
  writeProject: writeSite,
  contenders,
  runs,
  quality: true,
})
await publish({ name: 'site', runs, images, results, options })
