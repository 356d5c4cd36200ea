import type { JpegOptions } from 'sharp'
import { fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Curve } from '../../encoding/search.ts'
import type { ChromaSubsampling, Effort } from '../../base/types.ts'
import { MOZJPEG } from './curves.ts'

/**
 * Tells whether a picture has so few pixels that trying full chroma, and Huffman tables of its own for each probe,
 * takes little time.
 */
export const isQuicklyTried = ({ width, height }: Picture): boolean => width * height <= 100_000

/** The coding of a JPEG, apart from its quality. */
export interface Coding {
  readonly chroma: ChromaSubsampling
  /** mozjpeg's number of a set of quantisation tables. */
  readonly table: typeof COARSE | typeof FINE
}

/**
 * The quantisation table of Klein, Silverstein and Carney 1992, the best single one of mozjpeg's nine sets: over 32
 * photographs it takes 1.5 % fewer bytes than the default set at a score of 80, and 3 to 12 % fewer at 70 and 60.
 */
export const COARSE = 5

/**
 * Peterson, Ahumada and Watson 1993: up to 10 % fewer where a picture needs much, 7 % at a score of 90; more elsewhere.
 */
export const FINE = 8

/** Returns the typical scores of a coding, by quality. */
export const curveOf = ({ chroma, table }: Coding): Curve => MOZJPEG[table][chroma]

/** Returns the options of sharp for a coding. */
export const optionsOf = ({ chroma, table }: Coding): JpegOptions => ({
  chromaSubsampling: chroma,
  quantisationTable: table,
})

/** Encodes a picture with sharp; a grey picture gets one component. */
export function encode(picture: Picture, options: JpegOptions): Promise<Buffer> {
  const pixels = picture.grey ? fromPicture(picture).toColourspace('b-w') : fromPicture(picture)
  return pixels.jpeg(options).toBuffer()
}

/**
 * sharp's `mozjpeg: true` without progressive scans, which it does not let be turned off. The search gets the same
 * coefficients, and so the same score, in two thirds of the time, and decodes them line by line, where a progressive
 * file's coefficients are all held in memory until the last scan is read. Only the result that is chosen gets its
 * scans.
 */
export const SEQUENTIAL_MOZJPEG: JpegOptions = {
  trellisQuantisation: true,
  overshootDeringing: true,
  quantisationTable: 3,
  progressive: false,
  optimiseScans: false,
}

/**
 * Returns mozjpeg's options without its trellis and scan search, and with the standard's Huffman tables: they take a
 * twentieth of the time. Optimised tables would take three times as long, and say little more about which of two files
 * is smaller, except in small pictures, where tables are much of the file.
 */
export const plainOptions = (picture: Picture): JpegOptions => ({
  progressive: false,
  optimiseCoding: isQuicklyTried(picture),
})

/**
 * The progressive scans of libjpeg. To search for the best ones takes as long as a trellis, and of 24 photographs it
 * saved 1 % of the bytes against these.
 */
export const USUAL_SCANS: JpegOptions = { progressive: true, optimiseCoding: true }

/**
 * Bytes of coefficients up to which mozjpeg's trellis is used, which holds them twice: a picture of 70 megapixels with
 * halved chroma. One of 90 would take the process beyond 1 GB; without the trellis that one took 215 MB less, and 3 %
 * more bytes.
 */
const MOST_COEFFICIENT_BYTES = 400 * 2 ** 20

/** Returns `true` if a picture is written without the trellis, for want of memory. */
export function isTooLargeForTrellis(picture: Picture, { chroma }: Coding): boolean {
  const perPixel = picture.grey ? 2 : chroma === '4:2:0' ? 3 : 6
  return picture.width * picture.height * perPixel * 2 > MOST_COEFFICIENT_BYTES
}

/** Returns the options with which a coding is written at last, with as much effort as the picture's size allows. */
export const thoroughOptions = (picture: Picture, coding: Coding, effort: Effort): JpegOptions =>
  effort === 'fast' || isTooLargeForTrellis(picture, coding) ? plainOptions(picture) : SEQUENTIAL_MOZJPEG
