import { readInputs } from './run/inputs.mjs'
import { readState, runStep } from './run/step.mjs'

/** The code of `pixpress check` for findings: docs/check.md. */
const FOUND = 3

// The last step: the job fails after everything has been told.
await runStep(async (env) => {
  const { fail } = readInputs(env)
  const { code, report } = await readState(env).then((state) => state.fix ?? state)
  if (code === 0 || (code === FOUND && !fail)) return
  if (code !== FOUND) throw new Error(`${count(report.failures.length, 'image')} could not be checked.`)
  throw new Error(`${count(report.findings.length, 'finding')} in the images.`)
})

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
