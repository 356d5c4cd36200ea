import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { InputType, Work } from './types.ts'

/** The parts of a job that its time is split into. Encoders are not among them: those are split by type. */
export type Phase = 'decode' | 'quantise' | 'score' | 'pack'

type ByType = Map<InputType, number>

/** Publishes the settings of each encode as it starts, in sharp's words. `test/fence` holds the order of a search. */
export const encodeSettings: ReturnType<typeof channel> = channel('pixpress:encode')

/** The work of one job so far. */
interface Record {
  readonly encodes: ByType
  readonly encodeTimes: ByType
  readonly times: { [phase in Phase]: number }
  probes: number
  scores: number
  samples: number
  packs: number
  pixels: number
  decoded: number
}

/**
 * Work on sources in this process since it began. A source is hashed once and its header is read once, however many
 * results it has.
 */
export const sourceWork: { digests: number; probes: number } = { digests: 0, probes: 0 }

/** The record of the job at work, where several jobs share a thread. */
const shared = new AsyncLocalStorage<Record>()

/** The record of the job at work in a thread of its own; `null` in all other threads. */
let own: Record | undefined | null = null

/**
 * Says that this thread has one job at a time. Its record then need not be carried along with every promise, which took
 * 1 to 2 % of all time in Node 20.
 */
export function expectOneJobAtATime(): void {
  own = undefined
}

const currentRecord = (): Record | undefined => (own === null ? shared.getStore() : own)

async function runWith<T>(record: Record, job: () => Promise<T>): Promise<T> {
  if (own === null) return shared.run(record, job)
  own = record
  try {
    return await job()
  } finally {
    own = undefined
  }
}

/** Runs a job and tells what it took. Its time in a queue is added by who held it there. */
export async function countWork<T>(job: () => Promise<T>): Promise<{ result: T; work: Work }> {
  const record: Record = {
    encodes: new Map(),
    encodeTimes: new Map(),
    times: { decode: 0, quantise: 0, score: 0, pack: 0 },
    probes: 0,
    scores: 0,
    samples: 0,
    packs: 0,
    pixels: 0,
    decoded: 0,
  }
  const started = performance.now()
  const result = await runWith(record, job)
  const { probes, scores, samples, packs, pixels, decoded, times } = record
  const encodes = sorted(record.encodes)
  const milliseconds = {
    total: tenths(performance.now() - started),
    wait: 0,
    decode: tenths(times.decode),
    quantise: tenths(times.quantise),
    score: tenths(times.score),
    pack: tenths(times.pack),
    encode: sorted(record.encodeTimes, tenths),
  }
  return { result, work: { encodes, probes, scores, samples, packs, pixels, decoded, milliseconds } }
}

/** The same work that has waited besides. */
export function withWait(work: Work, milliseconds: number): Work {
  return { ...work, milliseconds: { ...work.milliseconds, wait: tenths(Math.max(0, milliseconds)) } }
}

/** The work of two jobs. */
export function addedWork(one: Work, other: Work): Work {
  const { milliseconds, encodes, ...counts } = one
  const added = Object.entries(counts).map(([name, value]) => [name, value + (other[name as keyof typeof counts] ?? 0)])
  const { encode, ...times } = milliseconds
  const later = other.milliseconds
  const timed = Object.entries(times).map(([name, value]) => [name, tenths(value + later[name as keyof typeof times])])
  return {
    ...Object.fromEntries(added),
    encodes: sorted(bothByType(encodes, other.encodes)),
    milliseconds: { ...Object.fromEntries(timed), encode: sorted(bothByType(encode, later.encode), tenths) },
  } as Work
}

function bothByType(one: Work['encodes'], other: Work['encodes']): ByType {
  const sums: ByType = new Map(Object.entries(one) as [InputType, number][])
  for (const [type, value] of Object.entries(other) as [InputType, number][]) add(sums, type, value)
  return sums
}

/** Counts one try of a search, whether for a quality or for a number of colours. */
export function countProbe(): void {
  const record = currentRecord()
  if (record !== undefined) record.probes++
}

/** Counts so many decoded pixels of a still image. */
export function countDecoded(pixels: number): void {
  const record = currentRecord()
  if (record !== undefined) record.decoded += pixels
}

/** Adds the time of a part of the job, which must not be inside of another that is timed. */
export function timePhase<T>(phase: Phase, part: () => T): T {
  const record = currentRecord()
  if (record === undefined) return part()
  return measured(part, (milliseconds) => (record.times[phase] += milliseconds))
}

/** Counts a run of the metric over so many pixels. */
export function countScore<T>(pixels: number, score: () => T): T {
  const record = currentRecord()
  if (record !== undefined) {
    record.scores++
    record.pixels += pixels
  }
  return timePhase('score', score)
}

/** Counts a run of the metric over a sample of so many pixels. */
export function countSample<T>(pixels: number, score: () => T): T {
  const record = currentRecord()
  if (record !== undefined) {
    record.samples++
    record.pixels += pixels
  }
  return timePhase('score', score)
}

/**
 * Counts bytes that are written again, or for the first time, by a compressor without loss: deflate, oxipng, a search
 * for scans.
 */
export function countPack<T>(pack: () => T): T {
  const record = currentRecord()
  if (record !== undefined) record.packs++
  return timePhase('pack', pack)
}

/** Counts an encode whose type and pixels are known once it is done; `undefined` where it was none. */
export async function countEncode<T>(
  encode: () => Promise<T>,
  describe: (encoded: T) => { type: InputType; pixels: number } | undefined,
): Promise<T> {
  const record = currentRecord()
  if (record === undefined) return encode()
  const started = performance.now()
  const encoded = await encode()
  const described = describe(encoded)
  if (described !== undefined) {
    const { type, pixels } = described
    add(record.encodes, type, 1)
    add(record.encodeTimes, type, performance.now() - started)
    record.pixels += pixels
  }
  return encoded
}

function measured<T>(part: () => T, report: (milliseconds: number) => void): T {
  const started = performance.now()
  const stop = (): void => report(performance.now() - started)
  let given: T
  try {
    given = part()
  } catch (error) {
    stop()
    throw error
  }
  if (given instanceof Promise) return given.finally(stop) as T
  stop()
  return given
}

function add(sums: ByType, type: InputType, value: number): void {
  sums.set(type, (sums.get(type) ?? 0) + value)
}

const tenths = (value: number): number => Math.round(value * 10) / 10

function sorted(sums: ByType, rounded = (value: number): number => value): Work['encodes'] {
  const entries = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([type, value]) => [type, rounded(value)]))
}
