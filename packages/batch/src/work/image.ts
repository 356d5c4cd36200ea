import { PixpressError } from '@pixpress/core'
import type { ErrorCode, OptimizeResult } from '@pixpress/core'
import type { ListedImage } from '../places/contract.ts'
import { assertSafeKey } from '../places/image-checks.ts'
import type { ImageOutcome } from '../records/record.ts'
import type { BatchTools } from './tools.ts'

/** The outcome of an image, and whether it was encoded for that. */
export interface WorkedImage {
  readonly outcome: ImageOutcome
  readonly isEncoded: boolean
}

/** Failures that have nothing to do with the image: every other one would meet them, and a later try may not. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set(['STORE_FAILED', 'REMOTE_UNAVAILABLE', 'MACHINE_UNFIT', 'NOT_CACHED'])

/**
 * One image from reading to writing. A failure of the image is an outcome.
 * @throws PixpressError for what is no fault of the image
 */
export async function workOnImage(image: ListedImage, tools: BatchTools): Promise<WorkedImage> {
  const { key } = image
  try {
    assertSafeKey(key)
    const read = await tools.source.read(image, tools.mostBytes)
    if (read === 'changed' || read === 'gone')
      return { outcome: { key, version: image.version, state: read }, isEncoded: false }
    const result = await tools.optimizer.optimize(read.bytes, tools.operationsOf(key), { file: key })
    const output = tools.nameOf(key, result)
    const state = await put(output, result, tools)
    const { data, info, cached } = result
    const facts = { size: read.bytes.length, version: read.version, output, bytes: data.length, type: info.type }
    return { outcome: { key, ...facts, state }, isEncoded: !cached }
  } catch (error) {
    if (!(error instanceof PixpressError) || OF_ALL.has(error.code)) throw error
    const { code, message } = error
    const { size, version } = image
    return { outcome: { key, size, version, state: 'failed', code, message }, isEncoded: false }
  }
}

/** @throws PixpressError `IO_FAILED` where something else is there, which may not be replaced */
async function put(
  key: string,
  { data: bytes, info }: OptimizeResult,
  { destination, overwrite }: BatchTools,
): Promise<'written' | 'present'> {
  const object = { bytes, type: info.type }
  if ((await destination.create(key, object)) === 'created') return 'written'
  if (await destination.holds(key, bytes)) return 'present'
  if (!overwrite)
    throw new PixpressError('IO_FAILED', `'${key}' is there already, and differs: give --overwrite or another --to.`)
  await destination.replace(key, object)
  return 'written'
}
