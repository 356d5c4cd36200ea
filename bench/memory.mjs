import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { BUILDS } from './first-build/builds.mjs'
import { prepareMaterial } from './first-build/materials.mjs'
import { imagesBelow } from './images/source-files.mjs'
import { measureEngine } from './measure/engine-memory.mjs'
import { readCommandLine, wholeNumber } from './options.mjs'
import { seconds, table, wholeMegabytes } from './report/markdown.mjs'

const LISTS = ['default', 'convert']

const USAGE = `Peak memory of the process that works on images, without the bundler's, over the site of first-build.mjs.

  node memory.mjs [options]

  --list NAME     ${LISTS.join(' or ')} (default both); may be repeated
  --threads N     images at once (default 1 and 2); may be repeated
  --images FOLDER images below a folder in place of the site's
  --digests FILE  also writes the digest of every result, so that two versions can be compared
  --json FILE     also writes the course of the memory as data`

const options = readCommandLine(
  USAGE,
  {
    list: { type: 'string', multiple: true, default: LISTS },
    threads: { type: 'string', multiple: true, default: ['1', '2'] },
    images: { type: 'string' },
    digests: { type: 'string' },
    json: { type: 'string' },
  },
  (values) => {
    const unknown = values.list.find((name) => !LISTS.includes(name))
    if (unknown !== undefined) throw new Error(`--list takes ${LISTS.join(' or ')}, not '${unknown}'.`)
    return { ...values, threads: values.threads.map((each) => wholeNumber('threads', each)) }
  },
)

const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-bench-'))
const results = []
try {
  const files = options.images === undefined ? await prepareMaterial('site', folder) : await imagesBelow(options.images)
  for (const list of options.list) {
    for (const threads of options.threads) {
      process.stderr.write(`${list}, threads: ${threads}\n`)
      results.push({ list, threads, ...(await measureEngine(files, { settings: BUILDS[list].settings, threads })) })
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

const rows = results.map(({ list, threads, peak, half, cpu, working }) => [
  list,
  String(threads),
  wholeMegabytes(peak),
  wholeMegabytes(half),
  seconds(cpu),
  working.map(({ name, after }) => `${name} (${seconds(after)})`).join(', '),
])
console.log(table(['list', 'threads', 'peak', 'half of the time below', 'CPU', 'at work then (for)'], rows))
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, undefined, 2)}\n`)
if (options.digests !== undefined) {
  const lines = results.flatMap(({ list, threads, digests }) =>
    digests.map(({ name, digest }) => `${list} ${threads} ${name} ${digest}\n`),
  )
  await writeFile(options.digests, lines.join(''))
}
