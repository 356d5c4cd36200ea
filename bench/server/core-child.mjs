import { readFile } from 'node:fs/promises'
import { createOptimizer } from '@pixpress/core'
import { processorTime } from './usage.mjs'

const concurrency = Number(process.argv[2])
const optimizer = createOptimizer({ concurrency, cache: false })

process.on('message', async ({ files }) => {
  if (files !== undefined) await work([...files])
  process.send({ cpu: processorTime() })
})
process.once('disconnect', () => void optimizer.close())
process.send({})

/** Works on as many files at once as the engine does: the next file is read when one is done. */
async function work(waiting) {
  const next = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      await optimizer.optimize(await readFile(file))
  }
  await Promise.all(Array.from({ length: concurrency }, next))
}
