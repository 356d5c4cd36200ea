/**
 * The images of whole buckets, on any number of machines. The main path: places (places/) → chunks of the listing
 * (chunks/) → what is to be done, in the destination (records/) → the queue (queue/), or a machine's own part → the
 * images of a chunk (work/) → its completion record.
 */
export { readAccess } from './places/access.ts'
export type { Destination, Source } from './places/contract.ts'
export { openDestination, openBatchSource, placeName } from './places/open.ts'
export type { PlaceOptions } from './places/open.ts'
export type { ChunkFacts } from './chunks/chunks.ts'
export {
  batchDescription,
  idOfBatch,
  listBatches,
  readBatchDescription,
  writeBatchDescription,
} from './records/description.ts'
export type { BatchDescription } from './records/description.ts'
export { listImages } from './records/listing.ts'
export { readRecord } from './records/record.ts'
export type { ImageOutcome, RecordSummary } from './records/record.ts'
export { createStatusReader } from './records/status.ts'
export type { BatchStatus, StatusReader } from './records/status.ts'
export { workOnChunk } from './work/chunk.ts'
export { estimateBatch } from './work/estimate.ts'
export type { Estimate } from './work/estimate.ts'
export { workHere } from './work/run-here.ts'
export type { BatchTools } from './work/tools.ts'
export { connectQueue } from './queue/connect.ts'
export { openChunkQueue } from './queue/offer.ts'
export type { ChunkQueue } from './queue/offer.ts'
export { takeChunks } from './queue/take.ts'
