import { makeSmallImages } from './images/small-images.mjs'
import { benchmark } from './measure/benchmark.mjs'
import { readOptions } from './options.mjs'
import { writeImports } from './projects/site-project.mjs'
import { ratio } from './report/markdown.mjs'
import { publish } from './report/publish.mjs'

const USAGE = `Builds a page that imports 1,000 small images, with and without pixpress: what each image costs besides its pixels.

  node thousand.mjs [options]

  --runs N         builds per tool, cold and warm; the median counts (default 3)
  --bundler NAME   vite or webpack (default both); may be repeated
  --tool NAME      besides pixpress and no plugin also this tool; may be repeated
  --json FILE      also writes the result as data
  --update         also writes the result into README.md
  --check          ends with code 1 when a bound is broken`

const COUNT = 1000

/**
 * Limits that pixpress promises: wall time of a warm build as a multiple of that without a plugin, and bytes at the
 * peak of a cold build. webpack restores modules from its own cache, but images are named by their content, which must
 * be read.
 */
const BOUNDS = { warm: { vite: 1.05, webpack: 1.25 }, memory: 700e6 }

const options = readOptions(USAGE, { check: { type: 'boolean', default: false } })
const { runs } = options
const contenders = Object.fromEntries(
  Object.entries(options.contenders).map(([bundler, tools]) => [
    bundler,
    options.tool === undefined ? ['none', 'pixpress'] : [...new Set(['none', 'pixpress', ...tools])],
  ]),
)

const { images, results } = await benchmark({
  makeImages: (into) => makeSmallImages(into, COUNT),
  writeProject: writeImports,
  contenders,
  runs,
  quality: false,
})

const verdicts = Object.keys(contenders).map((bundler) => judge(bundler))
await publish({
  name: 'thousand',
  runs,
  images,
  results,
  notes: [verdicts.map(({ text }) => text).join('\n')],
  options,
})
if (options.check && verdicts.some(({ kept }) => !kept)) process.exitCode = 1

function judge(bundler) {
  const of = (tool) => results.find((result) => result.bundler === bundler && result.tool === tool)
  const [none, pixpress] = [of('none'), of('pixpress')]
  const bound = BOUNDS.warm[bundler]
  const warm = pixpress.warm.wall / none.warm.wall <= bound
  const memory = pixpress.cold.memory < BOUNDS.memory
  const factor = ratio(pixpress.warm.wall, none.warm.wall)
  const peak = `${Math.round(pixpress.cold.memory / 1e6)} MB`
  return {
    kept: warm && memory,
    text: `- ${bundler}: warm ${factor} of no plugin (bound ${bound}×: ${verdict(warm)}); cold peak ${peak} (bound ${BOUNDS.memory / 1e6} MB: ${verdict(memory)})`,
  }
}

function verdict(kept) {
  return kept ? 'kept' : '**broken**'
}
