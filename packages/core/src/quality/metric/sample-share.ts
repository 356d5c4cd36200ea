/** One group of rows in so many is compared while a quality is searched for. */
const SHARE = 4

/**
 * Pixels, and rows, from which a sample of them tells the score. Of 101 photographs, drawings and screenshots as JPEG, WebP, palettes
 * and near-lossless pixels at three or four settings each, the sample was off by 0.07 to 0.25 points in the mean, in one of ten by 0.2 to
 * 0.7, and took 45 % of the time. Of smaller pictures it was off by up to twice as much, and the rest of their work takes longer.
 */
const LEAST_PIXELS = 200_000
const LEAST_ROWS = 256

/**
 * Pixels from which the trials of a palette or of near-lossless pixels are sampled: those of smaller pictures are near the promise from the
 * first on, so that most were scored as a whole besides, and 0.2 points led to as much as 5 % more bytes. From here on the sample was off
 * by 0.03 in photographs and by 0.2 in drawings, whose palettes score far above the promise while guards refuse them.
 */
const LEAST_PIXELS_OF_TRIALS = 1_200_000

interface Size {
  readonly width: number
  readonly height: number
}

/** One group of rows in how many tells the score of a picture about; 1 where all of its rows are compared. */
export const sampleShare = ({ width, height }: Size): number =>
  width * height >= LEAST_PIXELS && height >= LEAST_ROWS ? SHARE : 1

/** Whether a sample tells enough for trials whose pixels are made without an encoder. */
export const areTrialsSampled = (size: Size): boolean =>
  sampleShare(size) > 1 && size.width * size.height >= LEAST_PIXELS_OF_TRIALS
