import { MUTANTS } from './list.mjs'

/** Private packages that are bundled into the command. */
const OF_COMMAND = new Set(['audit', 'batch', 'migrate', 'face'])

/** The published package that a mutant is in. */
export function packageOf({ file }) {
  const [, name] = file.split('/')
  return OF_COMMAND.has(name) ? 'cli' : name
}

/** Counts of mutants by package, those between parts by themselves. */
function groups(resultOf) {
  const counts = new Map()
  for (const mutant of MUTANTS) {
    const name = mutant.isSeam ? 'seams' : packageOf(mutant)
    const { all = 0, killed = 0, unmet = 0 } = counts.get(name) ?? {}
    const result = resultOf(mutant)
    const isKilled = result.killed !== undefined
    const isUnmet = !isKilled && result.met.length === 0
    counts.set(name, { all: all + 1, killed: killed + (isKilled ? 1 : 0), unmet: unmet + (isUnmet ? 1 : 0) })
  }
  return counts
}

const survivors = (resultOf) =>
  MUTANTS.filter((mutant) => resultOf(mutant).killed === undefined && resultOf(mutant).met.length > 0)

/** The results for a terminal. */
export function lines(resultOf) {
  const counts = [...groups(resultOf)].map(
    ([name, { all, killed, unmet }]) =>
      `${name.padEnd(10)} ${killed} of ${all} killed${unmet > 0 ? `, ${unmet} not tried` : ''}`,
  )
  const left = survivors(resultOf).map(
    ({ id, breaks, survives = 'No reason is known.' }) => `${id} survives: ${breaks} ${survives}`,
  )
  return ['', ...counts, '', ...left]
}

/** The results as a page of Markdown. @param tests those that were run */
export function page(resultOf, tests) {
  const counts = [...groups(resultOf)].map(
    ([name, { all, killed, unmet }]) => `| ${name} | ${all} | ${killed} | ${all - killed - unmet} | ${unmet} |`,
  )
  const left = survivors(resultOf).map((mutant) => {
    const { id, file, breaks, survives = '' } = mutant
    return `| ${id} | ${file.replace('packages/', '')} | ${breaks} | ${resultOf(mutant).met.join(', ')} | ${survives} |`
  })
  return `# Planted faults that the tests find

\`node scripts/mutants.mjs\` has written this page, with ${tests}.

| package | faults | killed | survive | not tried |
| --- | --: | --: | --: | --: |
${counts.join('\n')}

## Survivors

| fault | file | what it breaks | tests that it met | reason |
| --- | --- | --- | --- | --- |
${left.join('\n')}
`
}
