import { IMAGE_TYPES, createOptimizer } from '@pixpress/core'
import type { Optimizer } from '@pixpress/core'
import { factsOf, loadCodecs } from '@pixpress/core/internal'
import { ok, problem, faultVerdict } from './contract.ts'
import type { Verdict } from './contract.ts'

/** A picture of eight by eight pixels, a ramp of colours as PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAbElEQVQI1w3JQQEAMAgDMcQgBjEVcRIQUzEVw2PLN1VFF1Oo2MJFiiuqmm6mUbONmzTXP4YeZtCwg4cMNz9EixESKywiTj+WXmbRsouXLLc/TJsxMmtsYs4/QocJChscEi4/jj7m0LGHjxx3PPMZXwFflyMIAAAAAElFTkSuQmCC',
  'base64',
)

/** Loads every library that works on images, and names each that is missing or of another machine. */
export async function checkLibraries(): Promise<Verdict> {
  const loaded = await loadCodecs()
  const faults = loaded.flatMap(({ fault }) => (fault === undefined ? [] : [faultVerdict(fault)]))
  if (faults.length === 0) return ok(loaded.map(({ name }) => name).join(', '))
  const [says, mend] = [faults.map((each) => each.says), [...new Set(faults.map((each) => each.mend))]]
  return problem(says.join('; '), mend.join('; '))
}

/** Makes a small picture of every type, as a build would: in the process and the threads that work on images. */
export async function checkCodecs(): Promise<Verdict> {
  const made: string[] = []
  let optimizer: Optimizer | undefined
  try {
    optimizer = createOptimizer({ cache: false, ownProcess: true, concurrency: 1 })
    for (const type of IMAGE_TYPES) {
      const { info } = await optimizer.optimize(PICTURE, { convert: { type } })
      if (info.type !== type) return problem(`${factsOf(type).label} cannot be made`, 'Run: npm install --force')
      made.push(factsOf(type).label)
    }
    return ok(`they make ${made.join(', ')}`)
  } catch (error) {
    return faultVerdict(error)
  } finally {
    await optimizer?.close()
  }
}
