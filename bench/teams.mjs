import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeSmallImages } from './images/small-images.mjs'
import { describeMachine } from './measure/versions.mjs'
import { writeImports } from './projects/site-project.mjs'
import { seconds, table, wholeMegabytes } from './report/markdown.mjs'
import { updateReadme } from './report/readme.mjs'
import { measureBuilds } from './teams/builds.mjs'
import { measureChecks } from './teams/checks.mjs'

const USAGE = `What the machines of a team wait for: first and warm builds, from the folder and from a server, and warm checks of many images.
Measures the built packages, once: run \`pnpm build\` first. The server needs Node 22.13 or newer.

  node teams.mjs [options]

  --images N    images of the builds (default 1000)
  --hundred     checks 100,000 images as well
  --json FILE   also writes the figures as data
  --update      also writes the result into README.md`

/** Fewer images than this take less time than the difference between two starts of the command. */
const FEWEST = 10_000

const TOO_FEW = `–: of fewer than ${FEWEST.toLocaleString('en')} images the difference of two processes says nothing, as starts differ by more.`

const options = readOptions()
const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
try {
  const site = path.join(folder, 'site')
  await mkdir(site)
  const names = await makeSmallImages(path.join(site, 'images'), options.images)
  await writeImports(site, names, 'vite')
  const builds = await measureBuilds(site, path.join(folder, 'server'))
  const counts = [options.images, options.images * 10, ...(options.hundred ? [options.images * 100] : [])]
  const checks = await measureChecks(path.join(site, 'images'), path.join(folder, 'checks'), counts)
  const markdown = render(builds, checks)
  console.log(markdown)
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ version: 1, builds, checks }, undefined, 2)}\n`)
  }
  if (options.update) await updateReadme('teams', markdown)
} finally {
  await rm(folder, { recursive: true, force: true })
}

function render(builds, checks) {
  const machine = describeMachine([])
  const date = new Date().toISOString().slice(0, 10)
  return [
    `One run, ${date}, on ${machine.cores} processors (${machine.cpu}) with Node ${machine.node}.`,
    table(
      [`${options.images.toLocaleString('en')} images`, 'wall', 'CPU', 'peak memory'],
      builds.map(({ name, wall, cpu, memory }) => [name, seconds(wall), seconds(cpu), wholeMegabytes(memory)]),
    ),
    table(
      ['warm check', 'wall', 'CPU', 'of it hashing', 'each image besides', 'peak memory'],
      checks.map(({ count, wall, cpu, hashed, each, memory }) => [
        `${count.toLocaleString('en')} images`,
        seconds(wall),
        seconds(cpu),
        seconds(hashed),
        ownShare(count, each),
        wholeMegabytes(memory),
      ]),
    ),
    ...(checks.some(({ count }) => count < FEWEST) ? [TOO_FEW] : []),
  ].join('\n\n')
}

function ownShare(count, microseconds) {
  if (count < FEWEST) return '–'
  return microseconds < 1 ? '< 1 µs' : `${Math.round(microseconds)} µs`
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        images: { type: 'string', default: '1000' },
        hundred: { type: 'boolean', default: false },
        json: { type: 'string' },
        update: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    if (!/^[1-9]\d*$/.test(values.images)) {
      throw new Error(`--images takes a whole number from 1, not '${values.images}'.`)
    }
    return { ...values, images: Number(values.images) }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return process.exit(2)
  }
}
