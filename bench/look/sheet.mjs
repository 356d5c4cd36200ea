import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

/** Size of one part of a picture, before or after, in pixels of the page. */
const PANEL = { width: 320, height: 240 }
const CAPTION = 22
const GAP = 6
const ROWS = 4
/** Icons are enlarged more, as long as they fit their panel. */
const LARGEST_ZOOM = 8
const GROUNDS = { white: [255, 255, 255], dark: [17, 17, 17] }

const PAGE = {
  width: 4 * PANEL.width + 5 * GAP,
  height: ROWS * (PANEL.height + CAPTION + GAP) + GAP,
}

/**
 * Writes pages of before and after into a folder. Each picture has a row of two pairs: opaque pictures at two places,
 * transparent ones at one place on white and on near-black.
 * @param rows each with `before` and `after` (decoded, of one size), `caption`, and `places` to centre on
 * @returns the files
 */
export async function writePages(rows, folder, zoom) {
  await mkdir(folder, { recursive: true })
  const files = []
  for (let first = 0; first < rows.length; first += ROWS) {
    const parts = []
    for (const [index, row] of rows.slice(first, first + ROWS).entries()) {
      parts.push(...(await renderRow(row, GAP + index * (PANEL.height + CAPTION + GAP), zoom)))
    }
    const file = path.join(folder, `page-${String(files.length + 1).padStart(2, '0')}.png`)
    const background = { r: 128, g: 128, b: 128 }
    await sharp({ create: { ...PAGE, channels: 3, background } })
      .composite(parts)
      .png()
      .toFile(file)
    files.push(file)
  }
  return files
}

async function renderRow({ before, after, caption, places }, top, zoom) {
  const isTransparent = [before, after].some(hasTransparency)
  const views = isTransparent
    ? Object.values(GROUNDS).map((ground) => ({ ground, place: places[0] }))
    : places.slice(0, 2).map((place) => ({ ground: GROUNDS.white, place }))
  const panels = views.flatMap(({ ground, place }) =>
    [before, after].map((pixels) => cut(blend(pixels, ground), place, zoom)),
  )
  const parts = [{ input: label(caption), left: GAP, top }]
  for (const [index, panel] of panels.entries()) {
    parts.push({ input: await panel, left: GAP + index * (PANEL.width + GAP), top: top + CAPTION })
  }
  return parts
}

const hasTransparency = ({ data, channels }) => channels === 4 && data.some((value, at) => at % 4 === 3 && value < 255)

function blend({ data, width, height, channels }, ground) {
  const opaque = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const alpha = channels === 4 ? data[pixel * 4 + 3] : 255
    for (let c = 0; c < 3; c++) {
      opaque[pixel * 3 + c] = Math.round((data[pixel * channels + c] * alpha + ground[c] * (255 - alpha)) / 255)
    }
  }
  return { data: opaque, width, height }
}

/** The surroundings of a place as PNG, each pixel enlarged to a square. */
async function cut({ data, width, height }, place, zoom) {
  const fitting = Math.floor(Math.min(PANEL.width / width, PANEL.height / height))
  const scale = Math.max(zoom, Math.min(LARGEST_ZOOM, fitting))
  const wide = Math.min(width, Math.floor(PANEL.width / scale))
  const high = Math.min(height, Math.floor(PANEL.height / scale))
  const left = Math.min(width - wide, Math.max(0, Math.round(place.x + 4 - wide / 2)))
  const top = Math.min(height - high, Math.max(0, Math.round(place.y + 4 - high / 2)))
  return sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: wide, height: high })
    .resize(wide * scale, high * scale, { kernel: 'nearest' })
    .png()
    .toBuffer()
}

function label(text) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE.width - 2 * GAP}" height="${CAPTION}">` +
      `<text x="0" y="16" font-family="sans-serif" font-size="14" fill="#fff">${escaped}</text></svg>`,
  )
}
