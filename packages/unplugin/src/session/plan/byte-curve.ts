import { PixpressError } from '@pixpress/core'
import type { Optimizer, ProbeResult } from '@pixpress/core'
import type { ByteCurve } from '@pixpress/core/internal'

/**
 * How the bytes of an image grow with its width, for `w=auto`: measured once and cached, in dev servers as in builds. A
 * dev server has the same widths, as it encodes only those that a browser asks for: with one width it would have to
 * encode the largest.
 * @param read its bytes; it may throw where types are written for an import whose file is hidden by an alias, which has
 *   the usual curve
 * @param file for messages
 * @returns `undefined` for vector images and for what cannot be decoded, which is reported where the image itself is
 *   asked for
 */
export async function byteCurveOf(
  optimizer: Pick<Optimizer, 'plan' | 'byteCurve'>,
  read: () => Promise<Uint8Array>,
  { type, width, height }: ProbeResult,
  file: string,
): Promise<ByteCurve | undefined> {
  if (type === 'image/svg+xml' || width === 0) return undefined
  const bytes = await read().catch(() => undefined)
  if (bytes === undefined) return [{ width, bytes: width * height }]
  try {
    return await optimizer.byteCurve(optimizer.plan(bytes, undefined, { file }))
  } catch (error) {
    if (error instanceof PixpressError) return undefined
    throw error
  }
}
