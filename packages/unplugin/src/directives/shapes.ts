import { ALPHA_TYPES, PixpressError } from '@pixpress/core'
import type { ImageDetails, ImageInfo, InputType, Placeholder } from '@pixpress/core'
import { placeholderMembers } from './placeholders.ts'
import type { DirectiveRequest, Variant } from './resolve.ts'
import { renderCustom } from './custom-output.ts'
import type { CustomOutput } from './custom-output.ts'
import {
  concatenate,
  defaultExport,
  namedExports,
  objectLiteral,
  oneOrArray,
  stringLiteral,
  withHidden,
} from './expressions.ts'
import type { Members } from './expressions.ts'
import { supersededTypes, withoutHeavier } from './superseded.ts'
import { EARLY_KEYS, METADATA_KEYS } from './vocabulary.ts'
import type { MetadataKey } from './vocabulary.ts'

/** One image that was made, or is sure to be made as described. */
export interface VariantResult {
  /**
   * A JavaScript expression that evaluates to the URL: a string literal, `import.meta.ROLLUP_FILE_URL_…`, or the name
   * of an import, which must be none of the module's own exports (`src`, `w`, `h`, `srcset`, `sources`, `img`,
   * `placeholder`, `color`, `hash` and the keys of the metadata). White space in the URL has to be escaped; in a
   * literal that is done here.
   */
  readonly src: string
  /** Pixels; 0 when unknown (an SVG without a size). */
  readonly width: number
  readonly height: number
  /** The type of the bytes, whatever was asked for. */
  readonly type: InputType
  /**
   * Bytes. Needed only where the metadata includes it; pictures leave out by it what is no smaller than a later type.
   */
  readonly size?: number
  /** Holds what its bytes say. Needed only where the metadata includes it. */
  readonly details?: ImageDetails
  /** Holds what to show until it is there, where the directives ask for it and one can be made. */
  readonly placeholder?: Pick<Placeholder, 'url' | 'color' | 'hash'> | undefined
}

/** How modules are written, where the options say so. */
export interface ModuleForm {
  /** Tells whether members of objects are exported by their names too. Default `true`. */
  readonly named?: boolean
  /** Tells whether pictures leave out types by their bytes. Default `true`. */
  readonly weighs?: boolean
  /** The project's own outputs. */
  readonly outputs?: Readonly<Record<string, CustomOutput>>
}

/** A result together with what it was made for. */
interface MadeVariant extends VariantResult {
  readonly variant: Variant
}

/**
 * The text of the ES module for an import. The shapes are imagetools' (`output-formats.ts` there): a default export,
 * and, when that is an object, each of its members as a named export too, so that unused ones can be shaken off.
 *
 * - `url`: the URL, or an array of them when there are several;
 * - `srcset`: `"a.webp 200w, b.webp 400w"`, or `1x, 2x` with `basePixels`;
 * - `img`: `{ src, w, h, srcset? }` of the widest, `srcset` when there are several;
 * - `picture`: `{ sources, img }`. `sources` has a srcset for each type that the results really have
 *   (`type="image/${key}"` in the markup), the fallback's last, and that only if there is more than one image of it.
 *   One that is no smaller than a later one is not enumerable: markup is made without it, and who names it still gets
 *   it. Its srcsets have no image that takes as many bytes as a wider one. `img` is the widest of the format asked for
 *   last; with a preset for several media also `media`, sources of theirs that come before `sources`;
 * - `metadata`: what `METADATA_KEYS` names, as far as the file says it, or the keys picked; an array when there are
 *   several.
 *
 * With `lqip` these three have `placeholder`, a `data:` URL, `color`, and `hash` where there is one, and `img` and
 * `picture` the `width` and `height` of the image behind `src` as well, which the metadata has anyway.
 * @param results One for each of `request.variants`, in that order.
 * @throws PixpressError `INTERNAL` when results are missing, or have no `size` and the metadata includes it.
 */
export function renderModule(
  request: DirectiveRequest,
  results: readonly VariantResult[],
  source: Pick<ImageInfo, 'hasAlpha'>,
  { named = true, weighs = true, outputs = {} }: ModuleForm = {},
): string {
  const { variants, output } = request
  if (results.length !== variants.length || results.length === 0) {
    throw new PixpressError('INTERNAL', `${variants.length} images were asked for, but ${results.length} were made.`)
  }
  const images = results.map((result, index): MadeVariant => ({ ...result, variant: variants[index]! }))
  const weighing = weighs ? WEIGHING : NO_WEIGHING
  switch (output.as) {
    case 'url':
      return defaultExport(oneOrArray(images.map(({ src }) => src)))
    case 'srcset':
      return defaultExport(srcset(images, output.basePixels))
    case 'img':
      return namedExports({ ...img(images, output.basePixels), ...placeholderOf(images, output.lqip) }, named)
    case 'picture':
      return namedExports(
        { ...picture(images, output.basePixels, weighing), ...placeholderOf(images, output.lqip) },
        named,
      )
    case 'metadata': {
      const all = images.map((image) => ({
        ...metadata(image, output.keys, source.hasAlpha),
        ...(output.lqip !== undefined && placeholderMembers(image.placeholder)),
      }))
      return all.length === 1 ? namedExports(all[0]!, named) : defaultExport(oneOrArray(all.map(objectLiteral)))
    }
    case 'custom': {
      const described = images.map(({ width, height, type, size, details }) => ({
        ...details,
        width,
        height,
        format: formatName(type),
        ...(size !== undefined && { size }),
      }))
      const sources = images.map(({ src }) => src)
      const { name, keys } = output
      return renderCustom({ name, output: outputs[name]!, keys, named }, described, sources)
    }
  }
}

function img(images: readonly MadeVariant[], basePixels: number | undefined): Members {
  return { ...widestOf(images), ...(images.length > 1 && { srcset: srcset(images, basePixels) }) }
}

/** The image that `src` shows: the one that has a placeholder, if any could be made. */
function placeholderOf(images: readonly MadeVariant[], lqip: string | undefined): Members {
  if (lqip === undefined) return {}
  const usual = images.filter(({ variant }) => variant.media === undefined)
  const lastFormat = usual.at(-1)?.variant.format
  const { width, height } = widest(usual.filter(({ variant }) => variant.format === lastFormat))
  const { placeholder } = usual.find((image) => image.placeholder !== undefined) ?? {}
  return { ...placeholderMembers(placeholder), width: String(width), height: String(height) }
}

/** The choice among images by their bytes. */
interface Weighing {
  readonly superseded: typeof supersededTypes
  readonly lighter: typeof withoutHeavier
}

const WEIGHING: Weighing = { superseded: supersededTypes, lighter: withoutHeavier }
const NO_WEIGHING: Weighing = { superseded: () => new Set(), lighter: (images) => images }

function picture(all: readonly MadeVariant[], basePixels: number | undefined, weighing: Weighing): Members {
  const images = all.filter(({ variant }) => variant.media === undefined)
  const directed = all.filter(({ variant }) => variant.media !== undefined)
  const lastFormat = images.at(-1)?.variant.format
  const ofLastFormat = images.filter(({ variant }) => variant.format === lastFormat)
  const fallbackType = widest(ofLastFormat).type
  // A browser takes the first source whose type it knows, so the type that all know comes last, even where an image of
  // an earlier format ended as that type too.
  const types = new Set(images.map(({ type }) => type))
  types.delete(fallbackType)
  types.add(fallbackType)
  const { width } = widest(images)
  const superseded = weighing.superseded([...types], images)
  const sources: Record<string, string> = {}
  const hidden: Record<string, string> = {}
  for (const type of types) {
    const ofType = withoutRepeatedSizes(images.filter((image) => image.type === type))
    // The fallback's only image is in `img` already. A type that only the smaller images came out as would keep the
    // browsers that know it from ever seeing the larger ones.
    const superfluous = type === fallbackType ? ofType.length === 1 : widest(ofType).width < width
    if (!superfluous)
      (superseded.has(type) ? hidden : sources)[formatName(type)] = srcset(weighing.lighter(ofType), basePixels)
  }
  return {
    sources: withHidden(sources, hidden),
    ...(directed.length > 0 && { media: mediaSources(directed, basePixels, weighing) }),
    img: objectLiteral(widestOf(ofLastFormat)),
  }
}

/** The sources of media, in the order in which browsers ask: every type of one medium before the next. */
function mediaSources(images: readonly MadeVariant[], basePixels: number | undefined, weighing: Weighing): string {
  const media = [...new Set(images.map(({ variant }) => variant.media!))]
  const sources = media.flatMap((each) => {
    const ofMedium = images.filter(({ variant }) => variant.media === each)
    const types = [...new Set(ofMedium.map(({ type }) => type))]
    const superseded = weighing.superseded(types, ofMedium)
    return types
      .filter((type) => !superseded.has(type))
      .map((type) => {
        const ofType = withoutRepeatedSizes(ofMedium.filter((image) => image.type === type))
        const { width, height } = widest(ofType)
        return objectLiteral({
          media: JSON.stringify(each),
          type: JSON.stringify(type),
          srcset: srcset(weighing.lighter(ofType), basePixels),
          w: String(width),
          h: String(height),
        })
      })
  })
  return `[${sources.join(', ')}]`
}

/** @param picked all that is known by default */
function metadata(image: MadeVariant, picked: readonly MetadataKey[] | undefined, sourceHasAlpha: boolean): Members {
  const keys = picked ?? METADATA_KEYS
  const { details, size } = image
  if (size === undefined && keys.includes('size')) {
    throw new PixpressError('INTERNAL', 'The metadata includes the size, but the image has not been made yet.')
  }
  const { transform } = image.variant.operations
  const hasAlpha = sourceHasAlpha && ALPHA_TYPES.has(image.type) && transform === undefined
  const all: Readonly<Record<string, unknown>> = {
    hasAlpha,
    ...details,
    size,
    width: image.width,
    height: image.height,
  }
  const members = keys.map((key) => {
    if (key === 'src') return [key, image.src] as const
    return [key, key === 'format' ? JSON.stringify(formatName(image.type)) : String(JSON.stringify(all[key]))] as const
  })
  // Members that the file does not say are left out, unless it was asked for by name.
  return Object.fromEntries(members.filter(([, value]) => picked !== undefined || value !== 'undefined'))
}

/** Tells whether a request's module tells what only an image's bytes say. */
export function needsBytes({ output }: DirectiveRequest): boolean {
  if (output.as === 'custom') return true
  return output.as === 'metadata' && (output.keys ?? METADATA_KEYS).some((key) => !EARLY_KEYS.includes(key))
}

function widestOf(images: readonly MadeVariant[]): Members {
  const { src, width, height } = widest(images)
  return { src, w: String(width), h: String(height) }
}

function widest(images: readonly MadeVariant[]): MadeVariant {
  return images.reduce((best, image) => (image.width > best.width ? image : best))
}

/** Formats that ended as one type repeat their sizes; of equal descriptors a browser only looks at the first. */
function withoutRepeatedSizes(images: readonly MadeVariant[]): readonly MadeVariant[] {
  return images.filter(({ width }, index) => images.findIndex((image) => image.width === width) === index)
}

/** Last part of the MIME type, so that `image/${name}` gives it back: `avif`, `webp`, `jpeg`, `png`, `svg+xml`, … */
function formatName(type: InputType): string {
  return type.slice('image/'.length)
}

function srcset(images: readonly MadeVariant[], basePixels: number | undefined): string {
  return concatenate(
    images.flatMap(({ src, width }, index) => {
      const descriptor = width === 0 ? '' : basePixels === undefined ? ` ${width}w` : ` ${width / basePixels}x`
      const end = index < images.length - 1 ? `${descriptor}, ` : descriptor
      return [escapeForSrcset(src), JSON.stringify(end)]
    }),
  )
}

/** In a srcset white space ends a URL, and a comma at either end of it is not part of it (HTML, "parse a srcset"). */
function escapeForSrcset(src: string): string {
  const literal = stringLiteral(src)
  return literal === undefined ? src : JSON.stringify(literal.replaceAll(/\s|^,|,$/g, encodeURIComponent))
}
