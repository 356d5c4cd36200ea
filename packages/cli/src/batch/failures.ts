import { readRecord } from '@pixpress/batch'
import type { Destination, ImageOutcome, StatusReader } from '@pixpress/batch'
import { visibleText } from '@pixpress/core/report'
import type { TextStream } from '../base/output.ts'

/** Failures that a person is shown; all are in the records, and in the JSON. */
const SHOWN = 20

/** An image that has no result. */
export type BatchFailure = Pick<ImageOutcome, 'key' | 'state' | 'code' | 'message'>

const SENTENCES: Readonly<Partial<Record<ImageOutcome['state'], string>>> = {
  changed: 'The image was changed since it was listed: the next run takes it as it is then.',
  gone: 'The image is gone since it was listed.',
}

/** Reads the images without a result from the records that have some. */
export async function readFailures(
  destination: Destination,
  batch: string,
  reader: StatusReader,
): Promise<BatchFailure[]> {
  const failures: BatchFailure[] = []
  for (const { chunk } of reader.unwell()) {
    const record = await readRecord(destination, batch, chunk)
    for (const { key, state, code, message = SENTENCES[state] } of record?.images ?? []) {
      if (state === 'failed' || state === 'changed' || state === 'gone')
        failures.push({ key, state, ...(code !== undefined && { code }), ...(message !== undefined && { message }) })
    }
  }
  return failures
}

/** Names the images without a result, the first of many. */
export function printFailures(failures: readonly BatchFailure[], stderr: TextStream): void {
  for (const { key, message = '' } of failures.slice(0, SHOWN)) {
    stderr.write(`pixpress: ${visibleText(`${key}: ${message}`)}\n`)
  }
  if (failures.length > SHOWN) {
    stderr.write(`pixpress: ${failures.length - SHOWN} more; --json has all of them.\n`)
  }
}
