import type { Size } from '../resample/size.ts'
import type { Raster } from '../resample/raster.ts'
import { shrinkRaster } from '../resample/shrink.ts'
import { toBytes } from '../resample/transfer.ts'
import { colourRarity } from './colour-rarity.ts'
import { medianColour } from './median-colour.ts'
import type { Colour } from './median-colour.ts'

/** The longer side of a saliency map, in cells. */
const LONGEST_SIDE = 96

/** How much each reason to look at a place counts, by the scale each comes in. */
const WEIGHTS = { rarity: 50, edges: 2, saturation: 0.3, skin: 0.6 } as const

/** Share of a picture that is its background, and does not count at all. */
const BACKGROUND_SHARE = 0.8

/** Cells to each side over which edges are averaged: a place is busy, not a line. */
const EDGE_REACH = 2

/** The colour of lit skin of any tone, as a direction, and the cosine at which likeness ends (after smartcrop.js). */
const SKIN: Colour = [0.78, 0.57, 0.44]
const LEAST_SKIN_COSINE = 0.99

/** How striking each part of a picture is. */
export interface SaliencyMap extends Size {
  /** Row by row, 0 upwards; comparable within one map only. */
  readonly values: Float64Array
}

/** A picture in small; what lies under transparency has the usual colour, so that no edge shows there. */
interface Cells extends Size {
  /** Red, green and blue, 0 to 255. */
  readonly colours: Float64Array
  /** 0 to 1. */
  readonly opacity: Float64Array
}

/**
 * The saliency of a picture: rare colours, places full of edges, saturation, and skin. The dullest four fifths count as
 * background, and what rises above them is squared, so that a small striking thing outweighs a large dull one.
 * Transparent parts do not count.
 */
export function createSaliencyMap(raster: Raster): SaliencyMap {
  const cells = createCells(raster)
  const { width, height, colours, opacity } = cells
  const rarity = colourRarity(colours)
  const edges = averaged(edgeStrengths(cells), cells)
  const values = opacity.map((shown, index) => {
    const red = colours[index * 3]!
    const green = colours[index * 3 + 1]!
    const blue = colours[index * 3 + 2]!
    const saturation = Math.max(red, green, blue) - Math.min(red, green, blue)
    const striking =
      WEIGHTS.rarity * rarity[index]! +
      WEIGHTS.edges * edges[index]! +
      WEIGHTS.saturation * saturation +
      WEIGHTS.skin * skinLikeness(red, green, blue)
    return striking * shown
  })
  const background = values.toSorted()[Math.floor(values.length * BACKGROUND_SHARE)]!
  return { values: values.map((value) => Math.max(0, value - background) ** 2), width, height }
}

/** The mean of maps of one size: what strikes in some frames of an animation counts by their share. */
export function meanSaliency(maps: readonly SaliencyMap[]): SaliencyMap {
  const [first] = maps as readonly [SaliencyMap]
  const values = first.values.map((_, index) => maps.reduce((sum, map) => sum + map.values[index]!, 0) / maps.length)
  return { ...first, values }
}

function createCells(raster: Raster): Cells {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(raster.width, raster.height))
  const width = Math.max(1, Math.round(raster.width * scale))
  const height = Math.max(1, Math.round(raster.height * scale))
  const small = shrinkRaster(raster, { width, height })
  const { channels } = small
  const data = toBytes(small)
  const median = medianColour({ data, channels })
  const colours = new Float64Array(width * height * 3)
  const opacity = new Float64Array(width * height).fill(1)
  for (let index = 0; index < opacity.length; index++) {
    if (channels === 4) opacity[index] = data[index * 4 + 3]! / 255
    for (let channel = 0; channel < 3; channel++) {
      const usual = median[channel]!
      colours[index * 3 + channel] = usual + (data[index * channels + channel]! - usual) * opacity[index]!
    }
  }
  return { width, height, colours, opacity }
}

/** How much each cell differs from the mean of its four neighbours, in lightness and colour. */
function edgeStrengths({ width, height, colours }: Cells): Float64Array {
  return Float64Array.from({ length: width * height }, (_, index) => {
    const x = index % width
    const left = x > 0 ? index - 1 : index
    const right = x + 1 < width ? index + 1 : index
    const above = index >= width ? index - width : index
    const below = index + width < width * height ? index + width : index
    let sum = 0
    for (let channel = 0; channel < 3; channel++) {
      const around =
        colours[left * 3 + channel]! +
        colours[right * 3 + channel]! +
        colours[above * 3 + channel]! +
        colours[below * 3 + channel]!
      sum += (colours[index * 3 + channel]! - around / 4) ** 2
    }
    return Math.sqrt(sum)
  })
}

/** Means over a square around each cell, as far as it lies inside. */
function averaged(values: Float64Array, { width, height }: Size): Float64Array {
  const across = values.map((_, index) => {
    const x = index % width
    return mean(values, index - Math.min(x, EDGE_REACH), index + Math.min(width - 1 - x, EDGE_REACH), 1)
  })
  return across.map((_, index) => {
    const y = Math.floor(index / width)
    const first = index - Math.min(y, EDGE_REACH) * width
    return mean(across, first, index + Math.min(height - 1 - y, EDGE_REACH) * width, width)
  })
}

function mean(values: Float64Array, first: number, last: number, step: number): number {
  let sum = 0
  for (let index = first; index <= last; index += step) sum += values[index]!
  return sum / ((last - first) / step + 1)
}

/** 0 to 255: by hue, for colours that are neither dark nor nearly white. */
function skinLikeness(red: number, green: number, blue: number): number {
  const lightness = (red + green + blue) / 3
  if (lightness < 50 || lightness > 240) return 0
  const [r, g, b] = SKIN
  const cosine = (red * r + green * g + blue * b) / (Math.hypot(red, green, blue) * Math.hypot(r, g, b))
  return 255 * Math.max(0, (cosine - LEAST_SKIN_COSINE) / (1 - LEAST_SKIN_COSINE))
}
