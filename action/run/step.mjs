import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Runs a step. An error becomes an annotation of the job, and the step fails. */
export async function runStep(step) {
  try {
    await step(process.env)
  } catch (error) {
    tell('error', error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

/** Tells working directories apart, each of which has a comment of its own. */
export const markOf = (folder) => createHash('sha256').update(folder).digest('hex').slice(0, 16)

/** An annotation of the job: `error`, `warning` or `notice`. */
export function tell(level, message) {
  const text = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${level} title=pixpress::${text}`)
}

const folderOf = (env) => path.join(env.RUNNER_TEMP ?? os.tmpdir(), 'pixpress-action')

/** Where the report of the check is for later steps of the workflow. */
export const reportFile = (env) => path.join(folderOf(env), 'report.json')

/** Reads the state that the steps hand on. */
export async function readState(env) {
  return JSON.parse(await readFile(path.join(folderOf(env), 'state.json'), 'utf8'))
}

export async function writeState(env, state) {
  await mkdir(folderOf(env), { recursive: true })
  await writeFile(path.join(folderOf(env), 'state.json'), JSON.stringify(state))
  await writeFile(reportFile(env), `${JSON.stringify((state.fix ?? state).report, null, 2)}\n`)
}

/** Outputs of the step: values of one line each. */
export async function setOutputs(env, outputs) {
  if (!env.GITHUB_OUTPUT) return
  await appendFile(
    env.GITHUB_OUTPUT,
    Object.entries(outputs)
      .map(([name, value]) => `${name}=${String(value).replace(/[\r\n]/g, ' ')}\n`)
      .join(''),
  )
}
