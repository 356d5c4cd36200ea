import { fork } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { caseOf, corpusOf } from './cases.mjs'

/** Milliseconds of processor time after which a case hangs: the engine gives up an image after 20 seconds. */
const MOST_TIME = 30_000

/** Without a processor clock (outside of Linux), as many times that on the wall. */
const PATIENCE = 10

/** Megabytes that a process may take in all: the bound of a picture of two megapixels, and the codecs themselves. */
const MOST_MEGABYTES = 1200

/** Milliseconds between two looks at a process. */
const LOOK = 500

/**
 * A run of one target.
 * @typedef {object} Run
 * @property {URL} targets the module with the table of targets
 * @property {string} name of the target
 * @property {string} seed
 * @property {number} from number of the first case
 * @property {number} to number behind the last one
 * @property {string} folder where the files of findings are saved
 * @property {string} [file] one file instead of damaged ones
 * @property {number} [time] milliseconds of processor time of one case
 * @property {() => boolean} [until] ends the run early, between two cases
 */

/**
 * A case that has not ended well.
 * @typedef {{ target: string, number: number, problem: string, file: string }} Finding
 */

/**
 * Runs cases of a target in a process of its own. A finding breaks it, is not explained, or takes too long, too much
 * memory or too many bytes; the cases behind it are run by another process.
 * @param {Run} run
 * @returns {Promise<{ cases: number, findings: Finding[] }>}
 */
export async function fuzz({ targets, name, seed, from, to, file, folder, time = MOST_TIME, until = () => false }) {
  const findings = []
  let next = from
  let cases = 0
  while (next < to && !until()) {
    const { done, problem } = await runProcess({ targets, name, seed, from: next, to, file, time, until })
    cases += done - next + (problem === undefined ? 0 : 1)
    next = done
    if (problem === undefined) break
    findings.push({
      target: name,
      number: done,
      problem,
      file: await save({ targets, name, seed, number: done, file, folder }),
    })
    next = done + 1
  }
  return { cases, findings }
}

/** Returns the number of the first case that has not ended well, and why; `to` and nothing where all have. */
function runProcess({ targets, name, seed, from, to, file, time, until }) {
  const args = [targets.href, name, seed, String(from), String(to), ...(file === undefined ? [] : [file])]
  const child = fork(new URL('child.mjs', import.meta.url), args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr.on('data', (piece) => (said = (said + piece).slice(-2000)))
  return new Promise((resolve) => {
    let current = from
    let begun
    let problem
    const end = (why) => {
      problem ??= why
      child.kill('SIGKILL')
    }
    const timer = setInterval(() => {
      if (begun === undefined) return
      const ticks = processorTime(child.pid)
      const passed = ticks === undefined ? (Date.now() - begun.wall) / PATIENCE : ticks - begun.ticks
      if (passed > time) end(`It hangs: more than ${time} ms of processor time.`)
    }, LOOK)
    child.on('message', ({ began, ended, problem: failed, megabytes }) => {
      // It may have gone on before it is ended.
      if (problem !== undefined) return
      if (began !== undefined) {
        current = began
        begun = { wall: Date.now(), ticks: processorTime(child.pid) ?? 0 }
        return
      }
      begun = undefined
      if (failed !== undefined) end(failed)
      else if (megabytes > MOST_MEGABYTES) end(`It took ${megabytes} MB.`)
      else {
        current = ended + 1
        if (until()) child.kill('SIGKILL')
      }
    })
    child.on('exit', (code, signal) => {
      clearInterval(timer)
      const isOver = current >= to || (problem === undefined && until())
      if (!isOver) problem ??= `The process ended with ${signal ?? `code ${code}`}. ${said.trim()}`.trim()
      resolve({ done: current, problem: isOver && problem === undefined ? undefined : problem })
    })
  })
}

/** Milliseconds of processors that a process has had; `undefined` where the system does not tell. USER_HZ is 100. */
function processorTime(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    // The process has ended, or this is no Linux.
    return undefined
  }
}

/** Writes the file of a finding, whose name says how to make it again. */
async function save({ targets, name, seed, number, file, folder }) {
  if (file !== undefined) return file
  const { TARGETS } = await import(targets.href)
  const { bytes } = caseOf(name, TARGETS[name], corpusOf(TARGETS[name]), { seed, number })
  const saved = path.join(folder, `${name}-${seed}-${number}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(saved, bytes)
  return saved
}
