/** The folder of the destination that knows what was done. */
export const FOLDER = '.pixpress-batch'

/** Folder of the descriptions of batches, one each. */
export const BATCHES: string = `${FOLDER}/batches/`

/** Where what is to be done is described. */
export const batchKey = (batch: string): string => `${BATCHES}${batch}.json`

/** Where the chunks of the latest listing are. */
export const listingKey = (batch: string): string => `${FOLDER}/listings/${batch}.jsonl`

/** Where the images of a chunk are listed. */
export const listKey = (batch: string, chunk: string): string => `${FOLDER}/lists/${batch}/${chunk}.jsonl`

/** Folder of the completion records, one for each chunk that is done. */
export const recordFolder = (batch: string): string => `${FOLDER}/${batch}/`

/** Where a chunk's completion record is. */
export const recordKey = (batch: string, chunk: string): string => `${recordFolder(batch)}${chunk}.json`

/** Tells whether a text is the id of a batch. */
export const isBatchId = (text: unknown): text is string => typeof text === 'string' && /^[\da-f]{16}$/.test(text)

/** Tells whether a text is the id of a chunk. */
export const isChunkId = (text: unknown): text is string => typeof text === 'string' && /^[\da-f]{32}$/.test(text)
