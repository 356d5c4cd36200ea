import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'

/**
 * Encodes each image once with sharp, one after the other, as the reference for the work of pixpress.
 *
 * - `node plain-encodes.mjs avif FILE…` encodes every bitmap in its own size as AVIF.
 * - `node plain-encodes.mjs widths FILE WIDTH…` encodes one image in each width as AVIF, WebP and JPEG.
 *
 * The encoders have sharp's own defaults, except for AVIF's effort, which is that of pixpress, and mozjpeg.
 */
const AVIF = { effort: 2 }

reportUsageAtExit()
sharp.cache(false)
const [kind, ...names] = process.argv.slice(2)
await (kind === 'avif' ? encodeEach(names) : encodeWidths(names[0], names.slice(1).map(Number)))

async function encodeEach(files) {
  for (const file of files) {
    const { pages = 1 } = await sharp(file).metadata()
    // Animations become animated WebP, which this benchmark does not measure.
    if (pages > 1) continue
    await sharp(await readFile(file))
      .autoOrient()
      .avif(AVIF)
      .toBuffer()
  }
}

/** The image is decoded and resized once for each width, which is the fastest way with sharp. */
async function encodeWidths(file, widths) {
  for (const width of widths) {
    const { data, info } = await sharp(file).autoOrient().resize(width).raw().toBuffer({ resolveWithObject: true })
    const resized = () => sharp(data, { raw: info })
    await resized().avif(AVIF).toBuffer()
    await resized().webp().toBuffer()
    await resized().jpeg({ mozjpeg: true }).toBuffer()
  }
}
