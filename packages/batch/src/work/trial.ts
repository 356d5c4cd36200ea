import { PixpressError } from '@pixpress/core'
import type { ListedImage } from '../places/contract.ts'
import type { BatchTools } from './tools.ts'

/** The outcome of working on some images without writing anything. */
export interface Trial {
  readonly failed: number
  /** Bytes of the images that have a result, and of their results. */
  readonly before: number
  readonly after: number
}

/** Works on images and writes nothing. @throws PixpressError for what is no fault of an image */
export async function workOnTrial(
  images: readonly ListedImage[],
  tools: Pick<BatchTools, 'source' | 'optimizer' | 'operationsOf' | 'concurrency' | 'mostBytes' | 'signal'>,
): Promise<Trial> {
  let [failed, before, after] = [0, 0, 0]
  const queue = images.values()
  const work = async (): Promise<void> => {
    for (const image of queue) {
      tools.signal.throwIfAborted()
      try {
        const read = await tools.source.read(image, tools.mostBytes)
        if (typeof read === 'string') continue
        const { data } = await tools.optimizer.optimize(read.bytes, tools.operationsOf(image.key), { file: image.key })
        before += read.bytes.length
        after += data.length
      } catch (error) {
        if (!(error instanceof PixpressError) || error.code === 'STORE_FAILED') throw error
        failed++
      }
    }
  }
  await Promise.all(Array.from({ length: tools.concurrency }, work))
  return { failed, before, after }
}
