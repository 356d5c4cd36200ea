import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { median } from './benchmark.mjs'

/** Milliseconds between two looks. The system keeps the peak itself, so a look only has to tell who was at work. */
const EVERY = 20

/**
 * Optimizes images, all given at once, and watches the process in which that is done. It starts with the first image
 * and ends with the last, so its peak is that of these images.
 * @param settings operations
 * @param threads images at once
 * @returns `peak` resident bytes, `half` of the looks were below so many, milliseconds of processor time (`cpu`), the
 * images at work at the peak (`working`), and the `digests` of all results
 * @throws Error where there is no `/proc`
 */
export async function measureEngine(files, { settings, threads }) {
  const sources = await Promise.all(files.map((file) => readFile(file)))
  const optimizer = createOptimizer({ concurrency: threads, ownProcess: true })
  const before = new Set(childrenOf(process.pid))
  const looks = []
  const timer = setInterval(() => {
    const child = childrenOf(process.pid).find((pid) => !before.has(pid))
    const look = child === undefined ? undefined : lookAt(child)
    if (look !== undefined) looks.push(look)
  }, EVERY)
  try {
    const jobs = await Promise.all(
      sources.map(async (source, index) => {
        const { data, work } = await optimizer.optimize(source, settings)
        const end = performance.now()
        const digest = createHash('sha256').update(data).digest('hex')
        return { name: path.basename(files[index]), start: end - (work?.milliseconds.total ?? 0), end, digest }
      }),
    )
    return summary(looks, jobs)
  } finally {
    clearInterval(timer)
    await optimizer.close()
  }
}

function summary(looks, jobs) {
  const highest = looks.reduce((one, other) => (other.resident > one.resident ? other : one))
  return {
    peak: Math.max(...looks.map(({ peak }) => peak)),
    half: median(looks.map(({ resident }) => resident)),
    cpu: Math.max(...looks.map(({ cpu }) => cpu)),
    working: jobs
      .filter(({ start, end }) => start <= highest.at && highest.at <= end)
      .map(({ name, start }) => ({ name, after: highest.at - start })),
    digests: jobs.map(({ name, digest }) => ({ name, digest })),
    looks,
    jobs: jobs.map(({ name, start, end }) => ({ name, start, end })),
  }
}

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Returns what a process takes now; `undefined` where it has ended. */
function lookAt(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpu = (Number(fields[11]) + Number(fields[12])) * 10
    return { at: performance.now(), resident: bytes('VmRSS'), peak: bytes('VmHWM'), file: bytes('RssFile'), cpu }
  } catch {
    return undefined
  }
}
