import { createLimit } from '@pixpress/core/internal'
import type { Destination } from '../places/contract.ts'
import type { ChunkFacts } from '../chunks/chunks.ts'
import { readListing, chunkTotals } from './listing.ts'
import { listRecords, readSummary } from './record.ts'
import type { RecordSummary } from './record.ts'

/** How far a batch is, as its records say: any machine that reads the destination sees the same. */
export interface BatchStatus {
  readonly batch: string
  /** ISO 8601; `undefined` while the first listing goes on. */
  readonly listed: string | undefined
  readonly chunks: { readonly all: number; readonly done: number }
  readonly images: {
    readonly all: number
    readonly done: number
    readonly written: number
    readonly present: number
    readonly failed: number
    readonly changed: number
    readonly gone: number
    readonly encoded: number
  }
  /** Bytes of the sources as they were listed, `all` and `done`; `before` and `after` of those that have a result. */
  readonly bytes: { readonly all: number; readonly done: number; readonly before: number; readonly after: number }
  /** Milliseconds until all is done at the pace of the last minutes; `undefined` where nothing has ended lately. */
  readonly millisecondsLeft: number | undefined
}

/** Reads the status of a batch, again and again where it is asked for. */
export interface StatusReader {
  read(now?: number): Promise<BatchStatus>
  /** The chunks of the listing that have no record, as of the last reading. */
  missing(): readonly ChunkFacts[]
  /** The summaries of the chunks that have a failure or an image that was not as it was listed. */
  unwell(): readonly RecordSummary[]
}

/** Summaries that are read at once. */
const AT_ONCE = 16

/** Milliseconds of the pace that the time left is told from. */
const LATELY = 15 * 60_000

/** Creates a reader, which reads the listing and each record once. */
export function createStatusReader(destination: Destination, batch: string): StatusReader {
  const known = new Map<string, RecordSummary>()
  const limit = createLimit({ jobs: AT_ONCE })
  let listing: Awaited<ReturnType<typeof readListing>>
  const done = (): RecordSummary[] => (listing?.chunks ?? []).flatMap(({ chunk }) => known.get(chunk) ?? [])
  const missing = (): readonly ChunkFacts[] => (listing?.chunks ?? []).filter(({ chunk }) => !known.has(chunk))
  return {
    missing,
    unwell: () => done().filter(({ failed, changed, gone }) => failed + changed + gone > 0),
    async read(now = Date.now()) {
      listing ??= await readListing(destination, batch)
      const recorded = await listRecords(destination, batch)
      const news = missing().filter(({ chunk }) => recorded.has(chunk))
      await Promise.all(
        news.map(({ chunk }) =>
          limit.run(async () => {
            const summary = await readSummary(destination, batch, chunk)
            if (summary !== undefined) known.set(chunk, summary)
          }),
        ),
      )
      return statusOf({ batch, listed: listing?.listed, chunks: listing?.chunks ?? [], summaries: done(), now })
    },
  }
}

function statusOf(seen: {
  readonly batch: string
  readonly listed: string | undefined
  readonly chunks: readonly ChunkFacts[]
  readonly summaries: readonly RecordSummary[]
  readonly now: number
}): BatchStatus {
  const { batch, listed, chunks, summaries, now } = seen
  const all = chunkTotals(chunks)
  const finished = new Set(summaries.map(({ chunk }) => chunk))
  const done = chunkTotals(chunks.filter(({ chunk }) => finished.has(chunk)))
  const sum = (count: (summary: RecordSummary) => number): number =>
    summaries.reduce((total, each) => total + count(each), 0)
  return {
    batch,
    listed,
    chunks: { all: chunks.length, done: summaries.length },
    images: {
      all: all.images,
      done: done.images,
      written: sum(({ written }) => written),
      present: sum(({ present }) => present),
      failed: sum(({ failed }) => failed),
      changed: sum(({ changed }) => changed),
      gone: sum(({ gone }) => gone),
      encoded: sum(({ encoded }) => encoded),
    },
    bytes: {
      all: all.bytes,
      done: done.bytes,
      before: sum(({ before }) => before),
      after: sum(({ after }) => after),
    },
    millisecondsLeft: timeLeft(summaries, all.images - done.images, now),
  }
}

function timeLeft(summaries: readonly RecordSummary[], images: number, now: number): number | undefined {
  if (images === 0) return 0
  const lately = summaries.filter(({ ended }) => Date.parse(ended) > now - LATELY)
  if (lately.length === 0) return undefined
  const began = Math.min(...lately.map((each) => Date.parse(each.began)))
  const span = Math.min(LATELY, Math.max(1, now - began))
  return Math.round((images / lately.reduce((sum, each) => sum + each.images, 0)) * span)
}
