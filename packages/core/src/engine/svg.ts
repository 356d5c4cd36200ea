import { optimize } from 'svgo'
import { PixpressError } from '../errors.ts'
import { firstLine } from '../probe.ts'
import type { Job } from './job.ts'

/** Bytes beyond which an SVG is left alone: svgo holds the whole tree and its passes are not linear. */
const MAX_SVG_BYTES = 4 * 1024 * 1024

/**
 * svgo with every plugin left out that another document could notice: ids, hidden elements and definitions are addressed
 * from outside (`sprite.svg#icon`, `<use>`), and the size attributes decide how an `<img>` without dimensions is laid out.
 * @throws PixpressError `DECODE_FAILED` or `UNSUPPORTED_OPERATION`
 */
export function optimizeSvg({ source, file }: Job): Uint8Array {
  if (source.length > MAX_SVG_BYTES) {
    throw new PixpressError(
      'INPUT_TOO_LARGE',
      `The SVG has ${source.length} bytes; the limit for SVG is ${MAX_SVG_BYTES}.`,
      { file },
    )
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(source)
  } catch (error) {
    throw new PixpressError('DECODE_FAILED', 'The SVG is not valid UTF-8.', { file, cause: error })
  }
  if (/<!ENTITY/i.test(text)) {
    throw new PixpressError('UNSUPPORTED_OPERATION', 'The SVG declares entities; it is left as it is.', { file })
  }
  try {
    const { data } = optimize(text, {
      multipass: true,
      plugins: [
        {
          name: 'preset-default',
          params: {
            overrides: { cleanupIds: false, removeHiddenElems: false, removeUselessDefs: false, mergePaths: false },
          },
        },
      ],
    })
    return new TextEncoder().encode(data)
  } catch (error) {
    throw new PixpressError('DECODE_FAILED', `The SVG cannot be read: ${firstLine(error)}.`, { file, cause: error })
  }
}
