import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

/** A panel's side, and the height of the line above it, in pixels of the sheet. */
const PANEL = 320
const CAPTION = 18
const GAP = 4
/** Pairs of a row and rows of a sheet: as many as one look takes in. */
const PAIRS = 2
const ROWS = 4
const GROUNDS = { white: 255, dark: 17, '-': 255 }

/**
 * Writes contact sheets of source and result, side by side, numbered from 0 in their order.
 * @param pairs of each `before` and `after` (pixels of one size), `ground` and `caption`
 * @returns the files
 */
export async function writeSheets(pairs, folder) {
  await mkdir(folder, { recursive: true })
  const files = []
  for (let first = 0; first < pairs.length; first += PAIRS * ROWS) {
    const parts = []
    for (const [index, pair] of pairs.slice(first, first + PAIRS * ROWS).entries()) {
      const left = (index % PAIRS) * 2 * (PANEL + GAP)
      const top = Math.floor(index / PAIRS) * (PANEL + CAPTION + GAP)
      parts.push({ input: label(`${first + index}  ${pair.caption}`), left, top })
      parts.push({ input: await enlarged(pair.before, pair.ground), left, top: top + CAPTION })
      parts.push({ input: await enlarged(pair.after, pair.ground), left: left + PANEL + GAP, top: top + CAPTION })
    }
    const file = path.join(folder, `sheet-${String(files.length).padStart(2, '0')}.png`)
    const size = { width: PAIRS * 2 * (PANEL + GAP), height: ROWS * (PANEL + CAPTION + GAP) }
    await sharp({ create: { ...size, channels: 3, background: '#777' } })
      .composite(parts)
      .png()
      .toFile(file)
    files.push(file)
  }
  return files
}

/** The picture on a ground, each pixel a square. */
function enlarged({ data, width, height, channels }, ground) {
  const grey = GROUNDS[ground]
  const scale = Math.max(1, Math.floor(PANEL / Math.max(width, height)))
  const wide = Math.min(width, Math.floor(PANEL / scale))
  const high = Math.min(height, Math.floor(PANEL / scale))
  return sharp(data, { raw: { width, height, channels } })
    .flatten({ background: { r: grey, g: grey, b: grey } })
    .extract({ left: 0, top: 0, width: wide, height: high })
    .resize(wide * scale, high * scale, { kernel: 'nearest' })
    .png()
    .toBuffer()
}

function label(text) {
  const safe = text.replaceAll(/[<&]/g, ' ')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * PANEL}" height="${CAPTION}"><text x="2" y="13" font-family="sans-serif" font-size="12" fill="#fff">${safe}</text></svg>`,
  )
}
