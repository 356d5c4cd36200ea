// Pixels of Display P3 in sRGB, clipped per channel. Doubles in one order of additions, so that every machine, and the plain loop over
// rasters of more bits in src/colour/gamut.ts, comes to the same.
//
// Calls: layout → grow the memory → write the products and the samples of light, once → as often as wanted: write pixels, convert, read them.

/** Light of sRGB beyond 0 and 65,535 that Display P3 has at most on either side, rounded up: clipping is a matter of the table. */
const BEYOND: usize = 16_384
/** Bytes of what one sample of a channel adds to red, green and blue: three doubles, and one to make addresses easy. */
const PRODUCT_BYTES: usize = 32
const CHANNEL_BYTES: usize = 256 * PRODUCT_BYTES

let products: usize = 0
let samples: usize = 0
let pixels: usize = 0

/** Lays out memory for so many bytes of pixels. Returns the bytes of memory needed. */
export function layout(room: i32): usize {
  products = (__heap_base + 63) & ~63
  samples = products + 3 * CHANNEL_BYTES
  pixels = samples + 65_536 + 2 * BEYOND
  // A pixel of three bytes is read as four.
  return pixels + <usize>room + 4
}

/** By channel of Display P3 and its sample: four doubles, of which the first three are the light of red, green and blue of sRGB. */
export function productsAddress(): usize {
  return products
}

/** By light from −16,384 on, up to as much above 65,535: its sample, a byte. */
export function samplesAddress(): usize {
  return samples
}

export function pixelsAddress(): usize {
  return pixels
}

@inline
function sampleOf(light: f64): u8 {
  return load<u8>(samples + <usize>(<i32>(light + 0.5)), BEYOND)
}

/** Converts so many pixels of 3 or 4 bytes in their place. */
export function convert(count: i32, step: i32): void {
  const mask: u32 = step == 3 ? 0xffffff : 0xffffffff
  const end = pixels + <usize>(count * step)
  let last: u32 = 0
  let converted: u32 = 0
  let isFirst = true
  for (let at = pixels; at < end; at += <usize>step) {
    const value = load<u32>(at) & mask
    // Areas of one colour are long.
    if (value != last || isFirst) {
      isFirst = false
      last = value
      const red = products + (<usize>(value & 255)) * PRODUCT_BYTES
      const green = products + CHANNEL_BYTES + (<usize>((value >>> 8) & 255)) * PRODUCT_BYTES
      const blue = products + 2 * CHANNEL_BYTES + (<usize>((value >>> 16) & 255)) * PRODUCT_BYTES
      converted =
        <u32>sampleOf(load<f64>(red) + load<f64>(green) + load<f64>(blue)) |
        ((<u32>sampleOf(load<f64>(red, 8) + load<f64>(green, 8) + load<f64>(blue, 8))) << 8) |
        ((<u32>sampleOf(load<f64>(red, 16) + load<f64>(green, 16) + load<f64>(blue, 16))) << 16) |
        (value & 0xff000000)
      if (step == 4 && value >>> 24 == 0) converted = 0
    }
    if (step == 4) {
      store<u32>(at, converted)
    } else {
      store<u16>(at, <u16>converted)
      store<u8>(at, <u8>(converted >>> 16), 2)
    }
  }
}
