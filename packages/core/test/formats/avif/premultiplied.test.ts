import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { parseAvif } from '../../../src/formats/avif/metadata-items.ts'
import { buildLocations, encodeBox, moveLocations, primaryItem } from '../../../src/formats/avif/metadata-write.ts'
import { isPremultiplied, withPlainColours } from '../../../src/formats/avif/premultiplied.ts'
import { bigEndian, concatBytes } from '../../../src/metadata/bytes.ts'
import type { Raster } from '../../../src/resample/raster.ts'

/** A file of the encoder with a reference from its colours to their alpha, of type `prem`. */
function marked(data: Uint8Array): Uint8Array {
  const file = parseAvif(data)!
  const primary = primaryItem(data, file)!
  const alpha = file.items.find(({ id }) => id !== primary)!.id
  const link = encodeBox(
    'prem',
    [primary, 1, alpha].map((value) => bigEndian(value, 2)),
  )
  const locations = moveLocations(file, link.length)!
  const meta = encodeBox('meta', [
    data.subarray(file.meta.content, file.meta.content + 4),
    ...file.children.map(({ type, start, content, end }) => {
      if (type === 'iref') return encodeBox('iref', [data.subarray(content, end), link])
      return type === 'iloc' ? buildLocations(file.locations, locations) : data.subarray(start, end)
    }),
  ])
  return concatBytes(file.boxes.map((box) => (box === file.meta ? meta : data.subarray(box.start, box.end))))
}

const translucent = (): Promise<Buffer> =>
  sharp({ create: { width: 16, height: 16, channels: 4, background: { r: 100, g: 50, b: 25, alpha: 0.5 } } })
    .avif({ quality: 95, effort: 0 })
    .toBuffer()

describe('colours of an AVIF that are multiplied by alpha', () => {
  const samples: Raster = {
    encoding: 'gamma8',
    data: Uint8Array.of(100, 50, 25, 128, 9, 9, 9, 0, 200, 100, 50, 255, 90, 10, 0, 60),
    width: 4,
    height: 1,
    channels: 4,
  }

  it('are divided by it', async () => {
    const source = marked(await translucent())
    expect(isPremultiplied(source)).toBe(true)
    expect((await sharp(source).metadata()).hasAlpha).toBe(true)
    const { data } = withPlainColours(samples, source)
    expect([...data]).toEqual([199, 100, 50, 128, 0, 0, 0, 0, 200, 100, 50, 255, 255, 43, 0, 60])
  })

  it('are divided in 16 bits as well', async () => {
    const deep: Raster = { ...samples, encoding: 'gamma16', data: Uint16Array.from(samples.data, (byte) => byte * 257) }
    const { data } = withPlainColours(deep, marked(await translucent()))
    expect([data[0], data[3]]).toEqual([Math.round((100 * 255 * 257) / 128), 128 * 257])
  })

  it('stay where nothing says that they are, and in what is no AVIF', async () => {
    const source = await translucent()
    expect(isPremultiplied(source)).toBe(false)
    expect(withPlainColours(samples, source)).toBe(samples)
    for (const length of [0, 20, 200]) expect(isPremultiplied(source.subarray(0, length))).toBe(false)
  })
})
