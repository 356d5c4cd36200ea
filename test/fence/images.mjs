/** A process of the fence: answers each picture with the results of its cases, one after the other. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { OPERATIONS } from './cases.mjs'
import { picture } from './pictures.mjs'

const [root] = process.argv.slice(2)
const core = pathToFileURL(path.join(root, 'packages/core/dist/bundle/index.js'))
const { createOptimizer } = await import(core.href)
// One thread: the encodes that it lists belong to the case at hand.
const optimizer = createOptimizer({ concurrency: 1 })

process.on('message', async (asked) => {
  if (asked === 'end') {
    await optimizer.close()
    process.disconnect()
    return
  }
  const source = await picture(asked.picture)
  for (const { name, does, effort } of asked.cases) {
    writeFileSync(process.env.FENCE_ENCODES, '')
    const started = process.cpuUsage()
    const line = await resultOf(source, asked.picture, does, effort).catch((error) => `error ${error.code ?? error}`)
    const { user, system } = process.cpuUsage(started)
    process.send({ name, line, cpu: (user + system) / 1000 })
  }
  process.send('done')
})
process.send('done')

async function resultOf(source, file, does, effort) {
  const operations = { ...OPERATIONS[does], effort }
  const plan = optimizer.plan(source, operations, { file })
  if (!(does in OPERATIONS)) {
    const text = JSON.stringify(await optimizer.placeholder(plan, does))
    return `${digest(text)} ${does} ${text.length}`
  }
  const { data, info, score, kept, reason } = await optimizer.materialize(plan)
  const parts = [digest(data), info.type.replace('image/', ''), data.length]
  if (score !== undefined) parts.push(score.toFixed(2))
  if (kept === 'input') parts.push(reason ?? 'input')
  const encodes = readFileSync(process.env.FENCE_ENCODES, 'utf8').trim()
  return parts.join(' ') + (encodes === '' ? '' : ` | ${encodes}`)
}

function digest(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 16)
}
