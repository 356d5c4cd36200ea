import { PixpressError, invalidOption } from '../base/errors.ts'

/** Bounds on the jobs that run at once. */
export interface LimitOptions {
  /** Jobs that run at once, 1 or more. */
  jobs: number
  /** Bytes that the weights of the running jobs may add up to. Default: no bound. */
  memory?: number
  /**
   * Bytes beyond which a lighter job goes first: one that keeps the sum of weights within them, else the lightest.
   * Default: no such preference.
   */
  preferred?: number
}

/** Runs jobs within bounds. */
export interface Limit {
  /**
   * Runs a job as soon as there is room for it, and settles as the job does. Jobs start in the order of the calls, but
   * for families and `preferred`, and while the next one is too heavy for the bound none overtakes it. A job that is
   * heavier than the whole bound runs alone. A job must not wait for another one of the same limit.
   *
   * @param weight bytes of memory that the job needs, an estimate. Default 0
   * @param family jobs that share work: where one of a family ends, the next of it follows, and another family begins
   * where nobody works on it yet
   * @throws {PixpressError} `INTERNAL` when the weight is not a finite number of 0 or more
   */
  run<T>(job: () => Promise<T>, weight?: number, family?: string): Promise<T>
  /** Jobs running now. */
  readonly active: number
  /** Jobs that have not started. */
  readonly waiting: number
  /** The largest sum of weights that ran at once so far, in bytes. */
  readonly peakWeight: number
}

interface WaitingJob {
  readonly weight: number
  readonly family: string | undefined
  readonly start: () => void
  /** Jobs that overtook it when it was the next. */
  overtaken: number
}

/**
 * Jobs from the front of the queue among which the next is chosen, and how many may overtake the first, so that none
 * waits for long.
 */
const LOOKED_AT = 32
const MOST_OVERTAKING = 16
/** Lighter jobs that may overtake the first: those of a whole site, which take about as long as a heavy one. */
const MOST_LIGHTER = 64

/** The jobs of a limit, and its bounds. */
interface State {
  /** Jobs that may run at once. */
  readonly jobs: number
  /** Bytes that the weights of the running jobs may add up to. */
  readonly memory: number
  /** Bytes beyond which lighter jobs go first. */
  readonly preferred: number
  readonly queue: WaitingJob[]
  active: number
  weightNow: number
  /** The same, of heavy jobs only as far as they count for what is preferred. */
  preferredNow: number
  peakWeight: number
  /** Running jobs of each family. */
  readonly families: Map<string, number>
}

/**
 * Bounds work by number (processors, requests) and by weight (memory) at once.
 * @throws {PixpressError} `INVALID_OPTION`
 */
export function createLimit({ jobs, memory = Infinity, preferred = Infinity }: LimitOptions): Limit {
  if (!(jobs === Infinity || Number.isInteger(jobs)) || jobs < 1) {
    throw invalidOption('jobs', 'a whole number of 1 or more', jobs)
  }
  if (typeof memory !== 'number' || !(memory > 0)) {
    throw invalidOption('memory', 'a number of bytes above 0', memory)
  }
  const room = { jobs, memory, preferred }
  const state: State = {
    ...room,
    queue: [],
    active: 0,
    weightNow: 0,
    preferredNow: 0,
    peakWeight: 0,
    families: new Map(),
  }
  return {
    async run<T>(job: () => Promise<T>, weight: number = 0, family?: string): Promise<T> {
      if (!Number.isFinite(weight) || weight < 0) {
        throw new PixpressError('INTERNAL', `Expected a job's weight of 0 bytes or more but received ${weight}.`)
      }
      await new Promise<void>((start) => {
        state.queue.push({ weight, family, start, overtaken: 0 })
        startNext(state)
      })
      try {
        return await job()
      } finally {
        end(state, { weight, family })
      }
    },
    get active() {
      return state.active
    },
    get waiting() {
      return state.queue.length
    },
    get peakWeight() {
      return state.peakWeight
    },
  }
}

function hasRoomFor({ active, jobs, weightNow, memory }: State, weight: number): boolean {
  return active === 0 || (active < jobs && weightNow + weight <= memory)
}

/** Starts jobs as long as there is room. @param ended the family of the job that has just ended */
function startNext(state: State, ended?: string): void {
  const { queue, families } = state
  while (queue[0] !== undefined && hasRoomFor(state, queue[0].weight)) {
    const inTurn = queue[0].overtaken < MOST_OVERTAKING ? chooseNext(state, ended) : 0
    const place = queue[0].overtaken < MOST_LIGHTER ? chooseLighter(state, inTurn, ended) : 0
    if (place > 0) queue[0].overtaken++
    const [next] = queue.splice(place, 1) as [WaitingJob]
    ended = undefined
    state.active++
    state.weightNow += next.weight
    state.preferredNow += cappedWeight(next.weight, state.preferred)
    state.peakWeight = Math.max(state.peakWeight, state.weightNow)
    if (next.family !== undefined) families.set(next.family, (families.get(next.family) ?? 0) + 1)
    next.start()
  }
}

/** Returns the place in the queue of who goes on with a family, else of who begins one, else 0. */
function chooseNext(state: State, ended: string | undefined): number {
  const { queue, families } = state
  const first = queue[0]!
  if (ended === undefined && (first.family === undefined || !families.has(first.family))) return 0
  const follows = (job: WaitingJob): boolean => job.family === ended
  const begins = (job: WaitingJob): boolean => job.family === undefined || !families.has(job.family)
  const suits = ended === undefined ? begins : follows
  const place = queue.slice(0, LOOKED_AT).findIndex((job) => suits(job) && hasRoomFor(state, job.weight))
  if (place !== -1) return place
  return ended === undefined ? 0 : chooseNext(state, undefined)
}

/**
 * The most that a job counts for of what is preferred, so that a heavy one starts beside light ones. Otherwise all
 * heavy ones would be left for the end, and run together.
 */
const MOST_PREFERRED_SHARE = 3 / 4

const cappedWeight = (weight: number, preferred: number): number => Math.min(weight, preferred * MOST_PREFERRED_SHARE)

/**
 * Returns the place of a lighter job if the one whose turn it is would add too much to those that run. A job that goes
 * on with a family stays, as it finds pixels that are there.
 */
function chooseLighter(
  { queue, families, active, preferredNow, preferred }: State,
  inTurn: number,
  ended?: string,
): number {
  const fits = ({ weight }: WaitingJob): boolean => preferredNow + cappedWeight(weight, preferred) <= preferred
  const { family } = queue[inTurn]!
  if (active === 0 || fits(queue[inTurn]!) || (family !== undefined && family === ended)) return inTurn
  let place = inTurn
  for (const [at, job] of queue.slice(0, LOOKED_AT).entries()) {
    if (job.weight >= queue[place]!.weight || (job.family !== undefined && families.has(job.family))) continue
    place = at
    if (fits(job)) return place
  }
  return place
}

function end(state: State, { weight, family }: Pick<WaitingJob, 'weight' | 'family'>): void {
  const { families } = state
  state.active--
  state.weightNow -= weight
  state.preferredNow -= cappedWeight(weight, state.preferred)
  const others = family === undefined ? 0 : families.get(family)! - 1
  if (family !== undefined && others === 0) families.delete(family)
  else if (family !== undefined) families.set(family, others)
  startNext(state, family)
}
