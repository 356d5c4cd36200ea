import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { drawScenes } from './scenes.mjs'

/** Width to height of the windows that are cut. */
export const SHAPES = [
  [1, 1],
  [4, 3],
  [3, 4],
  [16, 9],
  [9, 16],
  [2, 1],
]

/** Canvases that objects without a background are put on, and where: width, height, left, top. */
const CANVASES = [
  [700, 400, 30, 40],
  [400, 700, 200, 500],
]
const OBJECT_SIDE = 160

/** Alpha from which a pixel belongs to an object. */
const VISIBLE = 25

/**
 * Reads the pictures of a folder with the box that their object fills: those of `boxes.json`, and cut-outs in
 * `transparent`.
 */
export async function readPictures(folder) {
  const boxes = JSON.parse(await readFile(path.join(folder, 'boxes.json'), 'utf8'))
  const drawn = Object.entries(boxes).map(
    async ([
      name,
      {
        boxes: [box],
      },
    ]) => {
      const file = name.replace(/^cutouts\//, '')
      return picture(file, await decoded(sharp(path.join(folder, file))), box)
    },
  )
  const cutouts = (await readdir(path.join(folder, 'transparent'))).toSorted().flatMap((file) =>
    CANVASES.map(async ([width, height, left, top]) => {
      const input = await sharp(path.join(folder, 'transparent', file))
        .resize(OBJECT_SIDE)
        .png()
        .toBuffer()
      const canvas = sharp({ create: { width, height, channels: 4, background: '#0000' } })
      const pixels = await decoded(canvas.composite([{ input, left, top }]))
      return picture(`${file} on ${width}×${height}`, pixels, visibleBox(pixels))
    }),
  )
  return Promise.all([...drawn, ...cutouts])
}

/** The cut-outs of a folder's `transparent` in front of drawn scenes. */
export async function drawnPictures(folder) {
  const scenes = await drawScenes(path.join(folder, 'transparent'))
  return scenes.map(({ name, pixels, box }) => picture(name, pixels, box))
}

/** The windows of a picture that its object fits in. */
export function windowsOf({ raster: { width, height }, box }) {
  return SHAPES.map(([across, down]) => {
    const scale = Math.min(width / across, height / down)
    return { shape: `${across}:${down}`, width: Math.round(across * scale), height: Math.round(down * scale) }
  }).filter((window) => box.w <= window.width && box.h <= window.height)
}

/** Share of a box that lies in a rectangle. */
export function keptShare({ x, y, w, h }, { left, top, width, height }) {
  const across = Math.min(x + w, left + width) - Math.max(x, left)
  const down = Math.min(y + h, top + height) - Math.max(y, top)
  return (Math.max(0, across) * Math.max(0, down)) / (w * h)
}

const picture = (name, { data, info: { width, height, channels } }, box) => ({
  name,
  raster: { encoding: 'gamma8', data, width, height, channels },
  box,
})

const decoded = (pipeline) => pipeline.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })

function visibleBox({ data, info: { width, height } }) {
  const columns = []
  const rows = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[(y * width + x) * 4 + 3] > VISIBLE) {
        columns.push(x)
        rows.push(y)
      }
  const [x, y] = [Math.min(...columns), Math.min(...rows)]
  return { x, y, w: Math.max(...columns) - x + 1, h: Math.max(...rows) - y + 1 }
}
