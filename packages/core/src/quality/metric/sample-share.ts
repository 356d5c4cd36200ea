/** One group of rows in so many is compared during the search for a quality. */
const SHARE = 4

/**
 * Fewest pixels and rows for which a sample is used. Measured on 101 photographs, drawings and screenshots, each as
 * JPEG, WebP, palette and near-lossless pixels at three or four settings: the sample was off by 0.07 to 0.25 points on
 * average, by 0.2 to 0.7 in one of ten, and took 45% of the time. For smaller pictures it was off by up to twice as
 * much, and the rest of their work takes longer than scores.
 */
const LEAST_PIXELS = 200_000
const LEAST_ROWS = 256

/**
 * Fewest pixels for which trials of a palette or of near-lossless pixels are sampled. Trials of smaller pictures are
 * close to the promise from the start: most were also scored by all rows, and an error of 0.2 points led to up to 5%
 * more bytes. From this size on, the sample was off by 0.03 in photographs and by 0.2 in drawings, whose palettes score
 * far above the promise while guards refuse them.
 */
const LEAST_PIXELS_OF_TRIALS = 1_200_000

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Returns the share of a picture's rows that estimate its score: one group in so many. 1 means that all rows are
 * compared.
 */
export const sampleShare = ({ width, height }: Size): number =>
  width * height >= LEAST_PIXELS && height >= LEAST_ROWS ? SHARE : 1

/** Returns `true` if a sample suffices for trials whose pixels are made without an encoder. */
export const areTrialsSampled = (size: Size): boolean =>
  sampleShare(size) > 1 && size.width * size.height >= LEAST_PIXELS_OF_TRIALS
