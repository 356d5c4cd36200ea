import sharp from 'sharp'

/** Deterministic noise in 0…1: tests must see the same image on every run. */
function noise(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export interface Raw {
  data: Buffer
  width: number
  height: number
  channels: 3 | 4
}

/** Soft waves with grain: compresses like a photograph. */
export function photo(width = 160, height = 120, seed = 1): Raw {
  const random = noise(seed)
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.sin(x / 17 + seed) + Math.cos(y / 11) + Math.sin((x + y) / 29)
      const grain = (random() - 0.5) * 24
      for (let channel = 0; channel < 3; channel++) {
        data[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, 128 + wave * 30 + channel * 12 + grain))
      }
    }
  }
  return { data, width, height, channels: 3 }
}

/** The same in colours of its own in each place, as a photograph of many pixels has them. */
export function colourPhoto(width: number, height: number): Raw {
  const channels = [1, 2, 3].map((seed) => photo(width, height, seed).data)
  const data = Buffer.alloc(width * height * 3)
  for (let at = 0; at < data.length; at++) data[at] = channels[at % 3]![at]!
  return { data, width, height, channels: 3 }
}

/** Flat blocks of few colours: a drawing. */
export function graphic(width = 160, height = 120): Raw {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = (Math.floor(x / 20) * 7 + Math.floor(y / 15) * 3) % 9
      data.set([block * 28, 255 - block * 20, (block * 61) % 256], (y * width + x) * 3)
    }
  }
  return { data, width, height, channels: 3 }
}

/** A soft-edged disc on nothing. */
export function cutout(width = 120, height = 120): Raw {
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x - width / 2, y - height / 2)
      const alpha = Math.max(0, Math.min(255, (width / 3 - distance) * 40))
      data.set([200, (x * 2) % 256, (y * 2) % 256, alpha], (y * width + x) * 4)
    }
  }
  return { data, width, height, channels: 4 }
}

export const open = ({ data, width, height, channels }: Raw): ReturnType<typeof sharp> =>
  sharp(data, { raw: { width, height, channels } })

/** An animation of moving blocks, as GIF or WebP. */
export async function animation(type: 'gif' | 'webp', frames = 4, width = 40, height = 30): Promise<Buffer> {
  const data = Buffer.alloc(width * height * frames * 3, 20)
  for (let frame = 0; frame < frames; frame++) {
    for (let y = 8; y < 20; y++) {
      for (let x = frame * 6; x < frame * 6 + 10; x++) data.set([250, 60, 30], ((frame * height + y) * width + x) * 3)
    }
  }
  const joined = sharp(data, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
  const delay = Array.from({ length: frames }, (_, index) => 40 + index * 20)
  return type === 'gif'
    ? joined.gif({ delay, loop: 3 }).toBuffer()
    : joined.webp({ delay, loop: 3, lossless: true, effort: 0 }).toBuffer()
}
