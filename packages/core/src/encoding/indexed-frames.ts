/**
 * Frames in at most 256 colours, of which one byte per pixel is held. Source: PNG Specification, Third Edition, section
 * 11.
 */
import sharp from 'sharp'
import { ascii, concatBytes } from '../metadata/bytes.ts'
import { PNG_SIGNATURE, encodePngChunk, pngChunks } from '../metadata/png-chunks.ts'
import { clearTransparency } from './picture.ts'
import { heldFrames } from './frame-source.ts'
import type { FrameSource } from './frame-source.ts'
import { decodeFrames } from './frames.ts'

/** The colour types of PNG that are spoken of here. */
const GREY = 0
const INDEXED = 3

const MOST_DEPTH = 8

type Size = Pick<FrameSource, 'width' | 'height' | 'count'>

/** Opens the frames of a PNG in which they stand one below the other. Transparent pixels are black. */
export async function openIndexedFrames(png: Uint8Array, size: Size): Promise<FrameSource> {
  const chunks = [...pngChunks(png)].map(({ type, content, contentEnd }) => ({
    type,
    content: png.subarray(content, contentEnd),
  }))
  const contents = (wanted: string): Uint8Array[] =>
    chunks.filter(({ type }) => type === wanted).map(({ content }) => content)
  const [header = new Uint8Array(13)] = contents('IHDR')
  // A libvips without a quantiser writes truecolour.
  if (header[9] !== INDEXED) {
    const { data } = await decodeFrames(sharp(png, { limitInputPixels: false }))
    return heldFrames({ ...size, data: Buffer.from(clearTransparency(data)) })
  }
  const indices = await decodeAsGrey(header, contents('IDAT'))
  const colours = coloursOf(concatBytes(contents('PLTE')), concatBytes(contents('tRNS')), header[8]!)
  const { width, height, count } = size
  // Each frame takes the place of the one before.
  const shown = new Uint32Array(width * height)
  const bytes = new Uint8Array(shown.buffer)
  return {
    width,
    height,
    count,
    atOnce: 1,
    frame(index) {
      for (let to = 0, at = index * shown.length; to < shown.length; to++, at++) shown[to] = colours[indices[at]!]!
      return Promise.resolve(bytes)
    },
  }
}

/** Decodes the indices of an indexed PNG, which are the levels of the same file taken for a grey one. */
async function decodeAsGrey(header: Uint8Array, compressed: readonly Uint8Array[]): Promise<Uint8Array> {
  const grey = Uint8Array.from(header)
  grey[9] = GREY
  const png = concatBytes([
    ascii(PNG_SIGNATURE),
    encodePngChunk('IHDR', [grey]),
    ...compressed.map((content) => encodePngChunk('IDAT', [content])),
    encodePngChunk('IEND', []),
  ])
  return sharp(png, { limitInputPixels: false }).toColourspace('b-w').raw().toBuffer()
}

/** Returns the colour of each level; entries of fewer than 8 bits are spread over all levels of grey. */
function coloursOf(palette: Uint8Array, alphas: Uint8Array, depth: number): Uint32Array {
  const colours = new Uint32Array(2 ** MOST_DEPTH)
  const bytes = new Uint8Array(colours.buffer)
  const step = (2 ** MOST_DEPTH - 1) / (2 ** depth - 1)
  for (let entry = 0; entry < palette.length / 3; entry++) {
    const alpha = alphas[entry] ?? 255
    if (alpha !== 0) bytes.set([...palette.subarray(3 * entry, 3 * entry + 3), alpha], 4 * step * entry)
  }
  return colours
}
