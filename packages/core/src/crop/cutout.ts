import type { Rectangle } from '../resample/raster.ts'
import { differsFrom, findPlainBackground, isSameBackground } from './plain-background.ts'
import type { BytePixels, Background } from './plain-background.ts'

/** A free-standing object on a plain background, or on none. */
export interface Cutout {
  /** Around the object, in pixels of the picture. */
  readonly box: Rectangle
  readonly background: Background
}

/** Cells of the longer side of the grid that objects are looked for in. */
const CELLS = 256

/** Difference of a channel from the background's colour from which a pixel belongs to the object; soft shadows do. */
const OTHER_COLOUR = 16

/** Alpha from which a pixel belongs to the object. */
const VISIBLE = 25

/** Share of a cell's pixels that make it a part of the object; a line of one pixel across the cell is enough. */
const CELL_SHARE = 0.1

/** Parts smaller than this share of the largest are specks: dust, artefacts, lint. */
const SPECK = 0.01

interface Grid {
  readonly columns: number
  readonly rows: number
  /** 1 where the object is. */
  readonly cells: Uint8Array
}

interface Part {
  cells: number
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * The object that stands free in a picture, or in all frames of an animation, wherever it moves. `undefined` where a
 * border is not plain, where it changes, and where nothing stands inside it.
 * @param frames - of one size, at least one
 */
export function findCutout(frames: readonly BytePixels[]): Cutout | undefined {
  let background: Background | undefined
  let box: Rectangle | undefined
  for (const frame of frames) {
    const own = findPlainBackground(frame)
    if (own === undefined || (background !== undefined && !isSameBackground(own, background))) return undefined
    background ??= own
    const found = boxOf(frame, background)
    box = box === undefined || found === undefined ? (found ?? box) : union(box, found)
  }
  return background === undefined || box === undefined ? undefined : { box, background }
}

function boxOf(pixels: BytePixels, background: Background): Rectangle | undefined {
  const grid = gridOf(pixels, background)
  const parts = partsOf(grid)
  const largest = parts.reduce((most, { cells }) => Math.max(most, cells), 0)
  const kept = parts.filter(({ cells }) => cells >= largest * SPECK)
  if (kept.length === 0) return undefined
  const { left, top, right, bottom } = kept.reduce((a, b) => ({
    cells: a.cells + b.cells,
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }))
  const x = (column: number): number => Math.round((column * pixels.width) / grid.columns)
  const y = (row: number): number => Math.round((row * pixels.height) / grid.rows)
  return { left: x(left), top: y(top), width: x(right + 1) - x(left), height: y(bottom + 1) - y(top) }
}

function union(a: Rectangle, b: Rectangle): Rectangle {
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  const bottom = Math.max(a.top + a.height, b.top + b.height)
  return { left, top, width: right - left, height: bottom - top }
}

function gridOf({ data, width, height, channels }: BytePixels, background: Background): Grid {
  const scale = Math.min(1, CELLS / Math.max(width, height))
  const columns = Math.max(1, Math.round(width * scale))
  const rows = Math.max(1, Math.round(height * scale))
  const columnOf = Uint16Array.from({ length: width }, (_, x) => cellOf(x, width, columns))
  const counts = new Uint32Array(columns * rows)
  const isShown =
    background === 'transparent'
      ? (_: Uint8Array, at: number): boolean => data[at + 3]! >= VISIBLE
      : differsFrom(background, OTHER_COLOUR, channels)
  for (let y = 0, at = 0; y < height; y++) {
    const row = cellOf(y, height, rows) * columns
    for (let x = 0; x < width; x++, at += channels) {
      if (isShown(data, at)) counts[row + columnOf[x]!] = counts[row + columnOf[x]!]! + 1
    }
  }
  const enough = Math.max(1, (width / columns) * (height / rows) * CELL_SHARE)
  return { columns, rows, cells: Uint8Array.from(counts, (count) => (count >= enough ? 1 : 0)) }
}

/** The cell that a pixel's middle lies in, for cells whose edges are rounded to whole pixels. */
const cellOf = (pixel: number, pixels: number, cells: number): number =>
  Math.min(cells - 1, Math.floor(((pixel + 0.5) * cells) / pixels))

/** Connected parts, diagonals included. */
function partsOf({ columns, rows, cells }: Grid): Part[] {
  const unseen = Uint8Array.from(cells)
  const parts: Part[] = []
  const open: number[] = []
  for (let start = 0; start < unseen.length; start++) {
    if (unseen[start] === 0) continue
    const part: Part = { cells: 0, left: columns, top: rows, right: -1, bottom: -1 }
    unseen[start] = 0
    open.push(start)
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const x = cell % columns
      const y = (cell - x) / columns
      part.cells++
      part.left = Math.min(part.left, x)
      part.right = Math.max(part.right, x)
      part.top = Math.min(part.top, y)
      part.bottom = Math.max(part.bottom, y)
      for (let toY = Math.max(0, y - 1); toY <= Math.min(rows - 1, y + 1); toY++) {
        for (let toX = Math.max(0, x - 1); toX <= Math.min(columns - 1, x + 1); toX++) {
          const neighbour = toY * columns + toX
          if (unseen[neighbour] === 0) continue
          unseen[neighbour] = 0
          open.push(neighbour)
        }
      }
    }
    parts.push(part)
  }
  return parts
}
