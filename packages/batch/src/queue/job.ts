import { isBatchId, isChunkId } from '../records/layout.ts'

/** A chunk that waits in the queue: where it is described, and nothing of what is in it. */
export interface ChunkJob {
  /** Name of the destination. */
  readonly to: string
  readonly batch: string
  readonly chunk: string
}

/** The id of a chunk's job: a chunk that is added twice is there once. */
export const jobId = ({ batch, chunk }: Pick<ChunkJob, 'batch' | 'chunk'>): string => `${batch}-${chunk}`

/** Checks what the queue has for a job. @throws Error, which shows no value */
export function parseJob(value: unknown): ChunkJob {
  const { to, batch, chunk } = (value ?? {}) as Partial<Record<keyof ChunkJob, unknown>>
  if (typeof to === 'string' && to !== '' && isBatchId(batch) && isChunkId(chunk)) return { to, batch, chunk }
  throw new Error('Expected a destination, a batch and a chunk for a job of the queue.')
}
