import { optimize } from 'svgo'
import { PixpressError } from '../errors.ts'
import { firstLine } from '../probe.ts'
import type { Job } from './job.ts'

/** Bytes beyond which an SVG is left alone: svgo holds the whole tree and its passes are not linear. */
const MAX_SVG_BYTES = 4 * 1024 * 1024

/** Bytes beyond which one pass must do: further ones save little and take seconds on long paths. */
const MULTIPASS_BYTES = 100_000

/** Why an SVG is better left alone, as a sentence for a person. */
export function svgObjection({ source }: Job): string | undefined {
  if (source.length > MAX_SVG_BYTES) return `An SVG of more than ${MAX_SVG_BYTES} bytes is passed through as it is.`
  // svgo expands entities: a few hundred bytes can become gigabytes.
  if (Buffer.from(source).includes('<!ENTITY')) return 'An SVG that declares entities is passed through as it is.'
  return undefined
}

/**
 * svgo with every plugin left out that another document could notice: ids, hidden elements and definitions are addressed
 * from outside (`sprite.svg#icon`, `<use>`), and the size attributes decide how an `<img>` without dimensions is laid out.
 * Scripts and event handlers are the author's and stay.
 * @throws PixpressError `DECODE_FAILED`
 */
export function optimizeSvg({ source, file }: Job): Uint8Array {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(source)
  } catch (error) {
    throw new PixpressError('DECODE_FAILED', 'The SVG is not valid UTF-8.', { file, cause: error })
  }
  try {
    const { data } = optimize(text, {
      multipass: source.length < MULTIPASS_BYTES,
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
