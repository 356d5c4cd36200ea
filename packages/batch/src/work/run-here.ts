import { setTimeout as delay } from 'node:timers/promises'
import type { PixpressError } from '@pixpress/core'
import type { ChunkFacts } from '../chunks/chunks.ts'
import type { RecordSummary } from '../records/record.ts'
import { workOnChunk } from './chunk.ts'
import type { BatchTools } from './tools.ts'

/** Milliseconds before each further try of a chunk whose failure is none of its images'. */
const WAITS = [5000, 30_000] as const

/** Listeners for the chunks that are worked on. */
export interface ChunkEvents {
  readonly onDone: (summary: RecordSummary) => void
  /** A chunk is left for the next run. */
  readonly onFailed: (facts: ChunkFacts, error: Error) => void
}

/**
 * Works on chunks on this machine alone, one after the other.
 * @throws the signal's reason when it is aborted
 */
export async function workHere(
  due: readonly ChunkFacts[],
  tools: BatchTools,
  { onDone, onFailed }: ChunkEvents,
): Promise<void> {
  for (const facts of due) {
    try {
      onDone(await withPatience(() => workOnChunk(facts.chunk, tools), tools.signal))
    } catch (error) {
      tools.signal.throwIfAborted()
      // Every other chunk would fail for the same reason.
      if ((error as PixpressError).code === 'MACHINE_UNFIT') throw error
      onFailed(facts, error as Error)
    }
  }
}

async function withPatience<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if ((error as PixpressError).code === 'MACHINE_UNFIT') throw error
      await delay(wait, undefined, { signal })
    }
  }
  return work()
}
