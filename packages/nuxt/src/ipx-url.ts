import { PixpressError } from '@pixpress/core'
import type { QualityTarget } from '@pixpress/core'
import {
  ADJUSTMENTS,
  didYouMean,
  isImageType,
  isOneOf,
  listed,
  positionFromText,
  typeOfWord,
} from '@pixpress/core/internal'
import { decodePath } from 'unplugin-pixpress/internal'
import type { AskedImage } from 'unplugin-pixpress/internal'

/** A request that a URL of @nuxt/image makes. */
export interface IpxRequest {
  /** A path below a folder of images, or a remote URL. */
  readonly src: string
  readonly asked: AskedImage
  /** The same as it stands in the URL. */
  readonly modifiers: Readonly<Record<string, string>>
}

/** The modifiers of ipx that are known, and the names that they have here. */
const NAMES: Readonly<Record<string, string>> = {
  w: 'width',
  width: 'width',
  h: 'height',
  height: 'height',
  s: 'resize',
  resize: 'resize',
  fit: 'fit',
  f: 'format',
  format: 'format',
  q: 'quality',
  quality: 'quality',
  b: 'background',
  background: 'background',
  pos: 'position',
  position: 'position',
  enlarge: 'enlarge',
  animated: 'animated',
  a: 'animated',
  rotate: 'rotate',
  flip: 'flip',
  flop: 'flop',
  blur: 'blur',
  median: 'median',
  tint: 'tint',
  negate: 'invert',
  normalize: 'normalize',
  normalise: 'normalize',
  grayscale: 'grayscale',
  greyscale: 'grayscale',
}

const FITS = ['cover', 'contain', 'fill', 'inside'] as const

/**
 * Reads the path of a request below the handler's route: `/w_320&f_webp/photos/a.jpg`.
 * @throws PixpressError `INVALID_OPTION`
 */
export function parseIpxPath(text: string): IpxRequest {
  const [, modifiers = '', rest = ''] = /^\/([^/]*)\/(.*)$/.exec(text) ?? []
  if (rest === '') throw refused(`'${text}' names no image: expected '/<modifiers>/<path>'.`)
  const given: Record<string, string> = {}
  const written: Record<string, string> = {}
  for (const each of modifiers === '_' ? [] : modifiers.split(/[&,]/)) {
    const [, key = '', value = ''] = /^([^_:=]+)[_:=]?(.*)$/.exec(each) ?? []
    const name = NAMES[key]
    if (name === undefined)
      throw refused(`The modifier '${key}' is not supported. ${didYouMean(key, Object.keys(NAMES))}`)
    given[name] = decodePath(value)
    written[key] = given[name]
  }
  return { src: decodePath(rest), asked: askedOf(given), modifiers: written }
}

function askedOf(given: Readonly<Record<string, string>>): AskedImage {
  const [resizedWidth, resizedHeight] = given['resize']?.split('x') ?? []
  const width = pixels('width', given['width'] ?? resizedWidth)
  const height = pixels('height', given['height'] ?? resizedHeight)
  const { fit = 'cover', format, position = 'center', quality } = given
  if (!isOneOf(FITS, fit)) {
    throw refused(`The value '${fit}' of 'fit' is not supported: expected ${listed(FITS)}.`)
  }
  const type = format === undefined ? undefined : typeOfWord(format)
  if (format !== undefined && (type === undefined || !isImageType(type))) {
    throw refused(`The format '${format}' is none that can be written.`)
  }
  return {
    width,
    height,
    fit,
    // Cropping to the centre without a word is left to what strikes, which mostly is there.
    position: /^cent(?:er|re)$/.test(position) ? undefined : positionFromText(position, 'position'),
    enlarge: given['enlarge'] === undefined || given['enlarge'] === 'false' ? undefined : true,
    adjust: adjustmentsOf(given),
    type: type !== undefined && isImageType(type) ? type : undefined,
    quality: quality === undefined ? undefined : qualityOf(quality),
    background: given['background'] === undefined ? undefined : colourOf(given['background']),
  }
}

/** @throws PixpressError `INVALID_OPTION` */
function adjustmentsOf(given: Readonly<Record<string, string>>): AskedImage['adjust'] {
  const read = Object.entries(ADJUSTMENTS).flatMap(([name, row]) => {
    const text = given[name]
    return text === undefined ? [] : [[name, row.read(text, name)] as const]
  })
  return read.length === 0 ? undefined : Object.fromEntries(read)
}

function pixels(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const value = Math.round(Number(text))
  if (value >= 1) return value
  throw refused(`Expected a number of pixels for '${name}', got '${text}'.`)
}

/** A number is a score, as everywhere in pixpress. */
const qualityOf = (text: string): QualityTarget => (Number.isNaN(Number(text)) ? (text as QualityTarget) : Number(text))

const colourOf = (text: string): string => (/^[\da-f]{6}$/i.test(text) ? `#${text}` : text)

const refused = (message: string): PixpressError => new PixpressError('INVALID_OPTION', message)
