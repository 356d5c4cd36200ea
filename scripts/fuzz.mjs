import path from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './bootstrap.mjs'
import { fuzz } from './fuzz/run.mjs'
import { TARGETS } from './fuzz/targets.mjs'

// Feeds damaged files to every decoder and parser of the built packages:
//   npm run fuzz -- --minutes 30                      every target, in turns, until the time is over
//   npm run fuzz -- --target avif --seed a --cases 500
//   npm run fuzz -- --target avif --seed a --number 17 --file found/avif-a-17    a finding again
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    target: { type: 'string', multiple: true },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 16) },
    cases: { type: 'string' },
    number: { type: 'string' },
    file: { type: 'string' },
  },
})

const targets = new URL('fuzz/targets.mjs', import.meta.url)
const names = values.target ?? Object.keys(TARGETS)
const unknown = names.find((name) => !Object.hasOwn(TARGETS, name))
if (unknown !== undefined) {
  console.error(`There is no target '${unknown}': ${Object.keys(TARGETS).join(', ')}.`)
  process.exit(2)
}
const folder = path.join(root, 'node_modules', '.cache', 'fuzz')
const first = Number(values.number ?? 0)
const end = values.minutes === undefined ? undefined : Date.now() + Number(values.minutes) * 60_000
const until = () => end !== undefined && Date.now() >= end

const found = []
const rounds = end === undefined ? 1 : Number.POSITIVE_INFINITY
for (let round = 0; round < rounds && !until(); round++) {
  for (const name of names) {
    if (until()) break
    const count = values.number !== undefined ? 1 : Number(values.cases ?? TARGETS[name].cases)
    const from = first + round * count
    const { cases, findings } = await fuzz({
      targets,
      name,
      seed: values.seed,
      from,
      to: from + count,
      folder,
      until,
      file: values.file && path.resolve(values.file),
    })
    console.log(
      `${name.padEnd(11)} seed ${values.seed}, cases ${from} to ${from + cases - 1}: ${findings.length} found`,
    )
    for (const { number, problem, file } of findings) {
      console.log(`  ${path.relative(process.cwd(), file)}: ${problem}`)
      console.log(`  again: npm run fuzz -- --target ${name} --seed ${values.seed} --number ${number}`)
    }
    found.push(...findings)
  }
}
console.log(found.length === 0 ? 'Nothing was found.' : `${found.length} found.`)
process.exitCode = found.length === 0 ? 0 : 1
