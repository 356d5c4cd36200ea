import type { FormatEnum } from 'sharp'
import type { MadeElsewhere } from './baseline.ts'
import { formatOf } from '../base/formats.ts'
import type { ImageType } from '../base/types.ts'
import type { Plan } from '../plan/plan.ts'

/**
 * Makes the result of tools that give sharp nothing but a picture's size and type: sharp's own settings for the type,
 * with the sharp that pixpress brings.
 * @returns `undefined` where the plan asks for more than such a request says: settings of encoders, changes of the
 * picture, crops, several types. GIF gives `undefined` as well, as such tools keep its first frame.
 */
export function sharpDefaults({ source, type, types, operations }: Plan): (() => Promise<MadeElsewhere>) | undefined {
  const { resize, encoder, adjust, background, lossless, maxBytes } = operations
  const [written = type, ...others] = types
  const isPlain = [encoder, background, maxBytes].every((each) => each === null) && adjust === undefined && !lossless
  if (!isPlain || others.length > 0 || !WRITTEN.has(written) || !WRITTEN.has(type)) return undefined
  if (resize !== null && resize.method !== 'scale' && resize.method !== 'fill') return undefined
  return async () => {
    const [{ default: sharp }, { readOrientation }, { upright }] = await Promise.all([
      import('sharp'),
      import('../work/steps/metadata.ts'),
      import('../encoding/turned.ts'),
    ])
    const picture = await upright(sharp(source), readOrientation(source, type))
    if (resize !== null) {
      const { method, width, height, enlarge, kernel } = resize
      const size = {
        ...(width !== undefined && { width }),
        ...(height !== undefined && { height }),
        ...(kernel !== undefined && { kernel }),
      }
      picture.resize({ ...size, ...(method === 'fill' && { fit: 'fill' }), withoutEnlargement: enlarge !== true })
    }
    const [data, exact] = await Promise.all([
      picture
        .clone()
        .toFormat(formatOf(written) as keyof FormatEnum)
        .toBuffer(),
      picture.clone().png().toBuffer(),
    ])
    return { data, lossless: exact }
  }
}

/** Types that sharp reads and writes. */
const WRITTEN: ReadonlySet<string> = new Set<ImageType>(['image/avif', 'image/webp', 'image/jpeg', 'image/png'])
