/** A picture to write: red, green, blue and alpha of each pixel, from the top. */
export interface Rgba {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** How a test's BMP is written. */
export interface BmpOptions {
  readonly bits: 1 | 2 | 4 | 8 | 16 | 24 | 32
  /** Length of the second header. Default 40. */
  readonly header?: 12 | 40 | 56 | 64 | 108 | 124
  /** The compression's number. Default 0. */
  readonly compression?: number
  readonly masks?: readonly number[]
  /** Colours as `[red, green, blue]`. */
  readonly palette?: readonly (readonly [number, number, number])[]
  readonly topDown?: boolean
  /** The pixels as they stand in the file, in place of those of `picture`. */
  readonly pixels?: Uint8Array
  /** An ICC profile behind the pixels, with `header: 124`. */
  readonly profile?: Uint8Array
}

/** Writes a BMP as its documentation says, without any code of the decoder. */
export function writeBmp({ width, height, data }: Rgba, options: BmpOptions): Buffer {
  const { bits, header = 40, compression = 0, masks = [], palette = [], topDown = false, profile } = options
  const entry = header === 12 ? 3 : 4
  const beside = header === 40 && masks.length > 0 ? masks.length * 4 : 0
  const at = 14 + header + beside + palette.length * entry
  const pixels = options.pixels ?? rows()
  const file = Buffer.alloc(at + pixels.length + (profile?.length ?? 0))
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(at, 10)
  file.writeUInt32LE(header, 14)
  if (header === 12) {
    file.writeUInt16LE(width, 18)
    file.writeUInt16LE(height, 20)
    file.writeUInt16LE(1, 22)
    file.writeUInt16LE(bits, 24)
  } else {
    file.writeInt32LE(width, 18)
    file.writeInt32LE(topDown ? -height : height, 22)
    file.writeUInt16LE(1, 26)
    file.writeUInt16LE(bits, 28)
    file.writeUInt32LE(compression, 30)
    file.writeUInt32LE(pixels.length, 34)
    file.writeUInt32LE(palette.length, 46)
  }
  for (const [index, mask] of masks.entries()) file.writeUInt32LE(mask, 54 + index * 4)
  for (const [index, [red, green, blue]] of palette.entries()) {
    file.set([blue, green, red], 14 + header + beside + index * entry)
  }
  if (header >= 108) file.write(profile === undefined ? 'BGRs' : 'DEBM', 70, 'latin1')
  if (header === 124 && profile !== undefined) {
    file.writeUInt32LE(at + pixels.length - 14, 126)
    file.writeUInt32LE(profile.length, 130)
    file.set(profile, at + pixels.length)
  }
  file.set(pixels, at)
  return file

  function rows(): Uint8Array {
    const stride = Math.ceil((width * bits) / 32) * 4
    const all = Buffer.alloc(stride * height)
    for (let y = 0; y < height; y++) {
      const row = topDown ? y : height - 1 - y
      for (let x = 0; x < width; x++) {
        const pixel = [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
        put(all.subarray(row * stride, (row + 1) * stride), x, pixel)
      }
    }
    return all
  }

  function put(row: Buffer, x: number, [red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]): void {
    if (bits <= 8) {
      const index = palette.findIndex(([r, g, b]) => r === red && g === green && b === blue)
      const shift = 8 - bits - ((x * bits) % 8)
      row[Math.floor((x * bits) / 8)]! |= index << shift
    } else if (bits === 24) {
      row.set([blue, green, red], x * 3)
    } else {
      const usual = bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff]
      const used = [0, 1, 2, 3].map((channel) => (masks[0] ? masks : usual)[channel] ?? masks[channel])

      const value = [red, green, blue, alpha].reduce(
        (sum, level, channel) => sum + masked(level, used[channel] ?? 0),
        0,
      )
      if (bits === 16) row.writeUInt16LE(value, x * 2)
      else row.writeUInt32LE(value, x * 4)
    }
  }
}

/** Puts a level of 0 to 255 into the bits of a mask. */
function masked(level: number, mask: number): number {
  if (mask === 0) return 0
  const lowest = mask.toString(2).length - 1 - mask.toString(2).lastIndexOf('1')
  const most = mask / 2 ** lowest
  return Math.round((level * most) / 255) * 2 ** lowest
}
