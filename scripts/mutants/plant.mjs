import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

/** The texts before and after of every file that holds a fault now: a killed process leaves it for the next. */
const JOURNAL = path.join(root, 'node_modules', '.cache', 'mutants', 'planted.json')

/** The faults that stand in the sources. */
let planted = []

/**
 * Returns a source with a fault.
 * @throws Error where the text to find does not occur once
 */
export function withFault(text, { id, file, find, replace }) {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0) {
    const count = after === undefined ? 'does not occur' : `occurs ${more.length + 1} times`
    throw new Error(
      `The mutant '${id}' no longer fits: its text ${count} in ${file}. Mend it in scripts/mutants/list.mjs.`,
    )
  }
  return before + replace + after
}

/** Puts faults into the sources, in place of those that stand there. */
export function plant(mutants) {
  restore()
  const texts = new Map()
  for (const mutant of mutants) {
    const original = texts.get(mutant.file)?.original ?? readFileSync(path.join(root, mutant.file), 'utf8')
    const mutated = withFault(texts.get(mutant.file)?.mutated ?? original, mutant)
    texts.set(mutant.file, { original, mutated })
  }
  planted = [...texts].map(([file, both]) => ({ file, ...both }))
  mkdirSync(path.dirname(JOURNAL), { recursive: true })
  writeFileSync(JOURNAL, JSON.stringify(planted))
  for (const { file, mutated } of planted) writeFileSync(path.join(root, file), mutated)
}

/** Takes all faults out of the sources. */
export function restore() {
  for (const { file, original } of planted) writeFileSync(path.join(root, file), original)
  planted = []
  rmSync(JOURNAL, { force: true })
}

/**
 * Takes out the faults of a process that was killed.
 * @throws Error where a file was changed since, or has changes that Git does not know
 */
export function prepareSources(mutants) {
  for (const { file, original, mutated } of readJournal()) {
    const present = readFileSync(path.join(root, file), 'utf8')
    if (present !== original && present !== mutated) {
      throw new Error(`${file} has a fault of an earlier run, and was changed since. Mend it, and delete ${JOURNAL}.`)
    }
    writeFileSync(path.join(root, file), original)
  }
  rmSync(JOURNAL, { force: true })
  const files = [...new Set(mutants.map(({ file }) => file))]
  const { stdout } = spawnSync('git', ['status', '--porcelain', '--', ...files], { cwd: root, encoding: 'utf8' })
  if (stdout !== '') throw new Error(`Commit or stash these files first, as faults are put into them:\n${stdout}`)
}

function readJournal() {
  try {
    return JSON.parse(readFileSync(JOURNAL, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
