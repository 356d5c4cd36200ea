import { readFileSync } from 'node:fs'
import { caseOf, corpusOf, workRandom } from './cases.mjs'

// Works on cases of one target, one after the other, and tells the parent before and after each. A decoder that breaks
// takes this process along, and the parent knows at which case.
const [targetsFile, name, seed, from, to, file] = process.argv.slice(2)
const { TARGETS } = await import(targetsFile)
const target = TARGETS[name]
const corpus = corpusOf(target)

for (let number = Number(from); number < Number(to); number++) {
  const bytes = file === undefined ? caseOf(name, target, corpus, { seed, number }).bytes : readFileSync(file)
  process.send({ began: number })
  let problem
  try {
    await target.work(bytes, workRandom(seed, name, number))
  } catch (error) {
    problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  process.send({ ended: number, problem, megabytes })
}
process.disconnect()
process.exit()
