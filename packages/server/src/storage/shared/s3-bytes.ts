import { S3_TIMEOUTS, createS3Requests } from './s3-requests.ts'
import type { S3Timeouts } from './s3-requests.ts'
import { BackendUnavailableError } from '../contract.ts'
import type { BucketSettings, OutputBytes, OutputPart } from '../contract.ts'

/** Bytes of outputs in a bucket. */
export interface S3Bytes extends OutputBytes {
  /** @throws BackendUnavailableError when the bucket is missing, may not be listed, or does not answer */
  ready(): Promise<void>
}

/**
 * Objects `outputs/<id>/<part>` of a bucket. S3 stores an object whole or not at all, and has stored it when it
 * answers; old ones are left to a lifecycle rule of the bucket, as records decide what is still there for clients.
 */
export function createS3Bytes(settings: BucketSettings, timeouts: S3Timeouts = S3_TIMEOUTS): S3Bytes {
  const request = createS3Requests(settings, timeouts)

  async function stream(id: string, part: OutputPart): Promise<ReadableStream<Uint8Array> | undefined> {
    const response = await request('GET', keyOf(id, part))
    if (response === undefined) return undefined
    return withIdleTimeout(response.body ?? new Blob([]).stream(), timeouts.idle)
  }

  return {
    async put(id, part, bytes, type) {
      await discard(await request('PUT', keyOf(id, part), { bytes, type }))
    },
    async get(id, part) {
      const pieces = await stream(id, part)
      if (pieces === undefined) return undefined
      const chunks: Uint8Array[] = []
      for await (const chunk of pieces) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    stream,
    async delete(id) {
      // The upload first, as it is the larger one: what is left after a failure, the lifecycle rule removes.
      for (const part of ['upload', 'output'] as const) await discard(await request('DELETE', keyOf(id, part)))
    },
    async ready() {
      await request('HEAD', '')
    },
  }
}

const keyOf = (id: string, part: OutputPart): string => `outputs/${id}/${part}`

/** A connection is free again only when its answer was read. */
async function discard(response: Response | undefined): Promise<void> {
  await response?.arrayBuffer()
}

/** Fails when nothing comes for so many milliseconds. */
export function withIdleTimeout(body: ReadableStream<Uint8Array>, timeout: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await within(timeout, reader.read())
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(
            new BackendUnavailableError('S3 closed the connection in the middle of an object.', { cause: error }),
          )
          // Closes the connection; where that is what has failed, there is nothing left to close.
          await reader.cancel().catch(() => undefined)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function within<T>(timeout: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came for ${timeout} milliseconds.`)), timeout)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
