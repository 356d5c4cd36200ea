import { PixpressError } from '../../base/errors.ts'

// oxfmt-ignore
/**
 * The published SSIMULACRA 2.1 weights: channel (X, Y, B) by scale (1:1 … 1:32) by norm (mean, fourth-power mean) by
 * map (dissimilarity, added edges, lost edges). Jon Sneyers, Cloudinary, fitted them to subjective scores of CID22,
 * TID2013, KADID-10k and KonFiG-IQA (https://github.com/cloudinary/ssimulacra2, BSD-3-Clause).
 */
export const WEIGHTS: readonly number[] = [
  // X
  0, 0.0007376606707406586, 0, 0, 0.0007793481682867309, 0,
  0, 0.0004371155730107379, 0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752,
  0, 0.0016406437456599754, 0, 1.8422455520539298, 11.441172603757666, 0,
  0.0007989109436015163, 0.000176816438078653, 0, 1.8787594979546387, 10.94906990605142, 0,
  0.0007289346991508072, 0.9677937080626833, 0, 0.00014003424285435884, 0.9981766977854967, 0.00031949755934435053,
  0.0004550992113792063, 0, 0, 0.0013648766163243398, 0, 0,
  // Y
  0, 0, 0, 7.466890328078848, 0, 17.445833984131262,
  0.0006235601634041466, 0, 0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264,
  225.20515300849274, 0, 0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985,
  176.39317598450694, 0, 0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408,
  0, 0, 0, 34.77906344483772, 44.835625328877896, 0,
  0, 0, 0, 0, 0, 0,
  // B
  0, 0.0008680556573291698, 0, 0, 0, 0,
  0, 0.0005313191874358747, 0, 0.00016533814161379112, 0, 0,
  0, 0, 0, 0.0004179171803251336, 0.0017290828234722833, 0,
  0.0020827005846636437, 0, 0, 8.826982764996862, 23.19243343998926, 0,
  95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307, 0.9807858872435379,
  0, 0, 0, 0.0005130064588990679, 0, 0.00010854057858411537,
]

/** Maximum number of scales. Each is half the size of the one before. */
export const MAX_SCALES = 6
/** Number of colour channels. */
export const CHANNELS = 3
/** Number of weights of one channel of one scale: three error maps times two norms. */
export const NORMS = 6

/** A scale is followed by a smaller one unless a side of it is shorter than this, as in the published code. */
export const MIN_SIDE = 8

/**
 * A channel of a scale is left out if its six weights add up to less than this. The metric's sums are either above 1.1
 * or below 0.0022, which its optimizer left instead of zero. Leaving out the small ones changes a score by a few
 * thousandths and saves more than half of the work.
 */
export const NEGLIGIBLE_WEIGHT = 0.01

/** Returns the number of scales of an image by the rule of the published code: 1 below 8 pixels, up to 6. */
export function scaleCount(width: number, height: number): number {
  let count = 1
  for (let side = Math.min(width, height); side >= MIN_SIDE && count < MAX_SCALES; side = Math.ceil(side / 2)) count++
  return count
}

/**
 * Returns the index of the first weight of a channel of a scale. Images with fewer scales use the list without gaps, as
 * in the published code.
 */
function weightIndex(scales: number, scale: number, channel: number): number {
  return (channel * scales + scale) * NORMS
}

/** Returns the channels of the scales that count, as bits `3 · scale + channel`. */
export function activeChannels(scales: number): number {
  let bits = 0
  for (let scale = 0; scale < scales; scale++) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      const first = weightIndex(scales, scale, channel)
      let sum = 0
      for (let i = first; i < first + NORMS; i++) sum += weight(i)
      if (sum >= NEGLIGIBLE_WEIGHT) bits |= 1 << (scale * CHANNELS + channel)
    }
  }
  return bits
}

function weight(index: number): number {
  const value = WEIGHTS[index]
  if (value === undefined) throw new PixpressError('INTERNAL', `SSIMULACRA2 has no weight ${index}`)
  return value
}

/**
 * Returns the score of a comparison.
 *
 * @param sums by scale, channel, norm and map: the maps' values and fourth powers, added up over the pixels
 * @param pixels number of pixels of each scale
 */
export function scoreOf(sums: Float64Array, pixels: readonly number[]): number {
  let error = 0
  for (let channel = 0; channel < CHANNELS; channel++) {
    for (let scale = 0; scale < pixels.length; scale++) {
      const from = (scale * CHANNELS + channel) * NORMS
      const first = weightIndex(pixels.length, scale, channel)
      for (let norm = 0; norm < NORMS; norm++) {
        const mean = (sums[from + norm] ?? 0) / pixels[scale]!
        error += weight(first + norm) * (norm < NORMS / 2 ? mean : Math.sqrt(Math.sqrt(mean)))
      }
    }
  }
  // The published code maps the weighted error to the scale of mean opinion scores in this way.
  error *= 0.9562382616834844
  error = 2.326765642916932 * error - 0.020884521182843837 * error ** 2 + 6.248496625763138e-5 * error ** 3
  return error > 0 ? 100 - 10 * error ** 0.6276336467831387 : 100
}
