import type { InputType, ProbeResult } from '@pixpress/core'
import { resultSize } from '@pixpress/core/internal'
import type { PlannedImage } from '../plan/images.ts'
import type { KeptLock } from './keep-lock.ts'

/** Describes what is known of an image before it is made. */
export interface ExpectedImage {
  /** Pixels; 0 where they are not known. */
  readonly width: number
  readonly height: number
  readonly type: InputType | 'application/octet-stream'
}

/**
 * The size and the type that a planned image will have, without encoding it where that can be told.
 * @param probe what the header of its source says
 */
export async function expectedImage(
  { plan, header, source: bytes, file }: PlannedImage,
  probe: (bytes: Uint8Array, file: string) => Promise<ProbeResult>,
  lock: Pick<KeptLock, 'materialize'>,
): Promise<ExpectedImage> {
  if (plan === undefined) return { width: 0, height: 0, type: 'application/octet-stream' }
  const source = header ?? (await probe(bytes, plan.file ?? file))
  const { resize } = plan.operations
  const size = resultSize(source, plan.operations)
  const type = plan.types[0] ?? plan.type
  // A cut-out object gets a canvas larger than the source; whether the image shows one is known only after decoding.
  const mayGrow = resize?.method === 'thumb' && (resize.width! > source.width || resize.height! > source.height)
  if (!mayGrow) return { ...size, type }
  const { width, height } = await lock.materialize(plan, file).then(
    ({ info }) => info,
    // The failure is reported where the image itself is asked for.
    () => size,
  )
  return { width, height, type }
}
