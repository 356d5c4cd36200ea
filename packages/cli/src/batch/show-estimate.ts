import { estimateBatch, openBatchSource } from '@pixpress/batch'
import { createOptimizer } from '@pixpress/core'
import { EXIT } from '../base/exit.ts'
import { endingOf } from '../base/output.ts'
import { batchCost, estimateText, requestsOf } from './lines.ts'
import type { Prices } from './lines.ts'
import type { BatchRun } from './run.ts'
import { createTaken } from './settings.ts'
import { createTools } from './tools.ts'

/** Works on a sample, and prints what all would take. @returns the exit code */
export async function showEstimate(run: BatchRun, sample: number, prices: Prices): Promise<number> {
  const { description, places, settings, size, around } = run
  // A result from the cache would not be measured, and a process of its own would not be counted.
  const optimizer = createOptimizer({
    cache: false,
    ...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
    ...(settings.limits !== undefined && { limits: settings.limits }),
  })
  try {
    const tools = createTools({ ...run, optimizer, signal: around.signal })
    const source = openBatchSource(description.from, places, createTaken(description, settings))
    const estimate = await estimateBatch({ ...tools, source }, sample)
    const isBucket = { from: description.from.startsWith('s3://'), to: description.to.startsWith('s3://') }
    const requests = requestsOf(estimate.images, size, isBucket)
    if (settings.json) {
      const [processors, forRequests] = batchCost(estimate, requests, prices)
      const money = { processors, requests: forRequests }
      around.stdout.write(`${JSON.stringify({ ...estimate, requests, money })}\n`)
    } else {
      around.stdout.write(estimateText(estimate, requests, prices))
      around.stdout.write(endingOf('nothing was written'))
    }
    return EXIT.ok
  } finally {
    await optimizer.close()
  }
}
