import { PixpressError } from '../../base/errors.ts'
import type { Job } from '../../work/steps/job.ts'

/** The clocks that time limits are measured with. */
export interface Clocks {
  /** Returns the milliseconds of a clock that never goes back. */
  wall(): number
  /** Returns the milliseconds that this process has had of all processors together. */
  processor(): number
}

/** Rejects work that has had more processor time than its job may have. */
export interface TimeLimits {
  /**
   * @param onTimeout stops what can be stopped
   * @throws PixpressError `TIMEOUT`
   */
  within<T>(work: Promise<T>, job: Pick<Job, 'limits' | 'file'>, onTimeout: () => void): Promise<T>
}

/** Milliseconds between two looks at the clocks. */
const LOOK = 250

/** Milliseconds that count at most between two looks: a machine that slept in between did not work. */
const MOST_BETWEEN = 4 * LOOK

/** Work that has had no processor counts as stuck once the limit has passed so many times on the wall. */
const STUCK = 20

interface Running {
  readonly limit: number
  /** Milliseconds of processors, and on the wall. */
  charged: number
  waited: number
  readonly giveUp: () => void
}

/**
 * An image's time is that of processors, so that what is given up does not depend on what else the machine does.
 * Decoders and encoders work in threads of their own, which nobody can tell apart: what the process has had is shared
 * by the images that it works on, and none is charged more than passed on the wall. So an image alone on an idle
 * machine has as long as the wall says, and never less.
 */
export function createTimeLimits(clocks: Clocks = { wall: () => performance.now(), processor }): TimeLimits {
  const running = new Set<Running>()
  let wall = 0
  let used = 0
  let timer: NodeJS.Timeout | undefined

  function charge(): void {
    const [nowWall, nowUsed] = [clocks.wall(), clocks.processor()]
    const passed = Math.min(nowWall - wall, MOST_BETWEEN)
    const share = Math.min(passed, (nowUsed - used) / Math.max(1, running.size))
    for (const each of running) {
      each.charged += share
      each.waited += passed
    }
    wall = nowWall
    used = nowUsed
  }

  function look(): void {
    charge()
    for (const each of running) if (each.charged >= each.limit || each.waited >= each.limit * STUCK) each.giveUp()
    wait()
  }

  function wait(): void {
    clearTimeout(timer)
    if (running.size === 0) return
    const soonest = Math.min(...[...running].map(({ limit, charged }) => limit - charged))
    timer = setTimeout(look, Math.max(1, Math.min(LOOK, soonest)))
  }

  return {
    within: (work, { limits, file }, onTimeout) =>
      new Promise((resolve, reject) => {
        const entry: Running = {
          limit: limits.timeout,
          charged: 0,
          waited: 0,
          giveUp() {
            end()
            onTimeout()
            reject(new PixpressError('TIMEOUT', sentence(limits.timeout), { file }))
          },
        }
        const end = (): void => {
          charge()
          running.delete(entry)
          wait()
        }
        charge()
        running.add(entry)
        wait()
        work.then(resolve, reject).finally(end)
      }),
  }
}

const sentence = (limit: number): string =>
  `The image took longer than the limit of ${limit} ms: raise limits.timeout, lower effort, or exclude it.`

function processor(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
