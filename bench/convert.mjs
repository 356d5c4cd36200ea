import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CONVERT_BUILDS } from './convert/builds.mjs'
import { measureLoads } from './convert/loads.mjs'
import { renderConvert } from './convert/report.mjs'
import { makeSiteImages } from './images/site-images.mjs'
import { runBuild } from './measure/run-build.mjs'
import { writeSite } from './projects/site-project.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `Image bytes that a browser loads of one site that nobody edited.

  node convert.mjs [options]

  --json FILE   also writes the figures as data
  --update      also writes the result into README.md`

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-convert-'))
try {
  const names = await makeSiteImages(path.join(folder, 'images'))
  const results = []
  for (const build of CONVERT_BUILDS) {
    const project = path.join(folder, `${results.length}`)
    process.stderr.write(`${build.bundler}: ${build.title}\n`)
    await mkdir(project)
    await cp(path.join(folder, 'images'), path.join(project, 'images'), { recursive: true })
    await writeSite(project, names, build.bundler)
    const { cpu } = await runBuild({ ...build, folder: project })
    results.push({ ...build, cpu, ...(await measureLoads(project)) })
    await rm(project, { recursive: true })
  }
  const markdown = renderConvert(results, names.length)
  console.log(markdown)
  const figures = { version: 1, images: names.length, results }
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures, undefined, 2)}\n`)
  if (options.update) await updateReadme('convert', markdown)
} finally {
  await rm(folder, { recursive: true, force: true })
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'string' },
        update: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (!values.help) return values
    console.log(USAGE)
    return process.exit(0)
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
