import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { copyImages } from './images/site-images.mjs'
import { readEmittedImages } from './measure/emitted-images.mjs'
import { runBuild } from './measure/run-build.mjs'
import { OURS, PEER_BUILDS } from './peers/builds.mjs'
import { downloadPictures } from './peers/pictures.mjs'
import { openJudge } from './peers/promise.mjs'
import { MARGIN, renderPeers } from './peers/report.mjs'
import { writeImports } from './projects/site-project.mjs'
import { updateReadme } from './report/readme.mjs'

const USAGE = `Every picture of a list by pixpress and by its peers: is there one that a peer makes smaller at our promise?

  node peers.mjs [options]

  --images FOLDER   the images of this folder instead of those of peers/pictures.tsv, which are downloaded
  --check           ends with code 1 where a peer's result keeps the promise in fewer bytes
  --json FILE       also writes the figures as data
  --update          also writes the result into README.md`

/** The promise of pixpress with default options. */
const PROMISE = 80

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-peers-'))
try {
  const images = path.join(folder, 'images')
  const names =
    options.images === undefined
      ? (await downloadPictures(images)).map(({ name }) => name)
      : await copyImages(path.resolve(options.images), images)
  const ours = await buildWith(OURS, images, names)
  const rivals = []
  for (const build of PEER_BUILDS) rivals.push({ title: build.title, emitted: await buildWith(build, images, names) })
  const figures = await compare(ours, rivals)
  const markdown = renderPeers(figures)
  console.log(markdown)
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures, undefined, 2)}\n`)
  if (options.update) await updateReadme('peers', markdown)
  if (options.check && figures.peers.some(({ dominating }) => dominating.length > 0)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Builds the images with a tool and returns the results by the stem of their names. */
async function buildWith(build, images, names) {
  process.stderr.write(`${build.bundler}: ${build.title}\n`)
  const project = path.join(folder, 'project')
  await mkdir(project)
  await cp(images, path.join(project, 'images'), { recursive: true })
  await writeImports(project, names, build.bundler)
  await runBuild({ ...build, folder: project })
  const emitted = await readEmittedImages(project)
  await rm(project, { recursive: true })
  return emitted.map(({ source, before, after }) => ({ name: path.basename(source), before, after }))
}

async function compare(ours, rivals) {
  const peers = rivals.map(({ title }) => ({ title, bytes: 0, kept: 0, dominating: [] }))
  const own = { bytes: 0, kept: 0 }
  for (const [index, { name, before, after }] of ours.entries()) {
    process.stderr.write(`judging ${name}\n`)
    const judge = await openJudge(before)
    own.bytes += after.length
    if ((await judge.keeps(after)) >= PROMISE) own.kept++
    for (const [peer, { emitted }] of rivals.entries()) {
      const rival = emitted[index].after
      const keeps = await judge.keeps(rival)
      peers[peer].bytes += rival.length
      if (keeps < PROMISE) continue
      peers[peer].kept++
      if (rival.length >= after.length * (1 - MARGIN)) continue
      peers[peer].dominating.push({ name, before: before.length, after: after.length, rival: rival.length, keeps })
    }
  }
  const png = ours.filter(({ name }) => name.endsWith('.png')).length
  const bytes = ours.reduce((sum, { before }) => sum + before.length, 0)
  return { version: 1, promise: PROMISE, sources: { count: ours.length, png, bytes }, ours: own, peers }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        images: { type: 'string' },
        check: { type: 'boolean', default: false },
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
