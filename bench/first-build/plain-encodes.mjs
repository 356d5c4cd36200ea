import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'

/**
 * One plain encode of each image by sharp, one after the other: what the work of pixpress is held against.
 *
 *   node plain-encodes.mjs avif FILE…           every bitmap in its own size as AVIF
 *   node plain-encodes.mjs widths FILE WIDTH…   one image in each width as AVIF, WebP and JPEG
 *
 * The encoders have sharp's own defaults, but for AVIF's effort, which is that of pixpress, and mozjpeg.
 */
const AVIF = { effort: 2 }

reportUsageAtExit()
sharp.cache(false)
const [kind, ...names] = process.argv.slice(2)
await (kind === 'avif' ? encodeEach(names) : encodeWidths(names[0], names.slice(1).map(Number)))

async function encodeEach(files) {
  for (const file of files) {
    const { pages = 1 } = await sharp(file).metadata()
    // Animations become animated WebP, which is not what is measured.
    if (pages > 1) continue
    await sharp(await readFile(file))
      .autoOrient()
      .avif(AVIF)
      .toBuffer()
  }
}

/** Decoded and resized once for each width, as whoever counts milliseconds would. */
async function encodeWidths(file, widths) {
  for (const width of widths) {
    const { data, info } = await sharp(file).autoOrient().resize(width).raw().toBuffer({ resolveWithObject: true })
    const resized = () => sharp(data, { raw: info })
    await resized().avif(AVIF).toBuffer()
    await resized().webp().toBuffer()
    await resized().jpeg({ mozjpeg: true }).toBuffer()
  }
}
