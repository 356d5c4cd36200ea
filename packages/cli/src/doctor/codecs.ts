import { IMAGE_TYPES, createOptimizer } from '@pixpress/core'
import { codecFault, factsOf } from '@pixpress/core/internal'
import { ok, problem, textOf } from './contract.ts'
import type { Verdict } from './contract.ts'

/** A picture of eight by eight pixels, a ramp of colours as PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAbElEQVQI1w3JQQEAMAgDMcQgBjEVcRIQUzEVw2PLN1VFF1Oo2MJFiiuqmm6mUbONmzTXP4YeZtCwg4cMNz9EixESKywiTj+WXmbRsouXLLc/TJsxMmtsYs4/QocJChscEi4/jj7m0LGHjxx3PPMZXwFflyMIAAAAAElFTkSuQmCC',
  'base64',
)

/** Makes a small picture of every type, as a build would: in the process and the threads that work on images. */
export async function checkCodecs(): Promise<Verdict> {
  const optimizer = createOptimizer({ cache: false, ownProcess: true, concurrency: 1 })
  const made: string[] = []
  try {
    for (const type of IMAGE_TYPES) {
      const { info } = await optimizer.optimize(PICTURE, { convert: { type } })
      if (info.type !== type) return problem(`${factsOf(type).label} cannot be made`, 'Run: npm install --force')
      made.push(factsOf(type).label)
    }
    return ok(`they make ${made.join(', ')}`)
  } catch (error) {
    const [what = '', ...mend] = textOf(codecFault(error) ?? error).split('. ')
    return problem(what, mend.join('. ') || 'Run: npm install --force')
  } finally {
    await optimizer.close()
  }
}
