import { photoInHdr, naming } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import type { Operations } from '../../../src/operations/index.ts'
import { writeJpeg } from '../../../src/formats/jpeg/metadata.ts'
import { encodePngChunk } from '../../../src/metadata/png-chunks.ts'
import { open, photo } from '../../images.ts'

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

let source: Buffer
beforeAll(async () => {
  source = await photoInHdr(320, 200)
})

interface Carried {
  readonly notes: readonly string[]
  /** Width and height of the picture, and of its map. */
  readonly sizes: readonly (number | undefined)[]
  readonly bytes: number
}

async function carried(operations: Operations, data: Uint8Array = source): Promise<Carried> {
  const result = await optimizer.optimize(data, operations)
  const { width, height, gainMap } = await sharp(result.data).metadata()
  const map = gainMap === undefined ? undefined : await sharp(gainMap.image).metadata()
  return { notes: result.notes, sizes: [width, height, map?.width, map?.height], bytes: result.data.length }
}

describe('the HDR gain map of a JPEG', () => {
  it('is kept in a JPEG, and dropped where that is asked for', async () => {
    const [kept, dropped] = [await carried({}), await carried({ gainMap: false })]
    expect(kept).toMatchObject({ notes: [], sizes: [320, 200, 160, 100] })
    expect(dropped).toMatchObject({ notes: [], sizes: [320, 200, undefined, undefined] })
    expect(kept.bytes).toBeLessThan(source.length)
    expect(dropped.bytes).toBeLessThan(kept.bytes)
  })

  it('is the same after a second time', async () => {
    const { data } = await optimizer.optimize(source)
    const again = await optimizer.optimize(data)
    expect(Buffer.compare(again.data, data)).toBe(0)
  })

  it('follows what its picture becomes', async () => {
    const scaled = await carried({ resize: { method: 'scale', width: 160 } })
    expect(scaled.sizes).toEqual([160, 100, 80, 50])
    const cut = await carried({ resize: { method: 'cover', width: 100, height: 100 } })
    expect(cut.sizes).toEqual([100, 100, 50, 50])
  })

  it('is turned upright with its picture', async () => {
    const exif = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
    const content = Buffer.concat([Buffer.from('Exif\0\0'), exif])
    const head = Buffer.of(0xff, 0xe1, 0, content.length + 2)
    // The list of pictures comes first, and counts from itself: what is put behind it moves the map.
    const end = 6 + source.readUInt16BE(4) - 2
    const turned = Buffer.concat([source.subarray(0, end), head, content, source.subarray(end)])
    const at = source.indexOf('MPF\0') + 78
    turned.writeUInt32LE(source.readUInt32LE(at) + head.length + content.length, at)
    const { sizes } = await carried({}, turned)
    expect(sizes).toEqual([200, 320, 100, 160])
  })

  it.each([
    [{ convert: { type: 'image/webp' } }, 'as WebP files are written without one'],
    [{ adjust: { grayscale: true } }, 'as the picture was adjusted'],
    [{ resize: { method: 'contain', width: 90, height: 90 } }, 'as the picture stands on a background'],
  ] as const)('is left out with a note by %j', async (operations, why) => {
    const { notes, sizes } = await carried(operations)
    expect(notes).toContainEqual(naming('HDR', why))
    expect(sizes.slice(2)).toEqual([undefined, undefined])
  })

  it('is left out with a note where its kind cannot be carried over', async () => {
    const xmp = Buffer.from('http://ns.adobe.com/xap/1.0/\0urn:com:apple:photo:2020:aux:hdrgainmap')
    const jpeg = await open(photo(64, 48)).jpeg({ quality: 97 }).toBuffer()
    const head = Buffer.of(0xff, 0xe1, 0, xmp.length + 2)
    const { notes } = await carried({}, Buffer.concat([jpeg, jpeg.subarray(0, 2), head, xmp, jpeg.subarray(2)]))
    expect(notes).toEqual([expect.stringContaining('HDR')])
  })

  it('is left out where the file would be beyond its limit', async () => {
    const { bytes } = await carried({ gainMap: false })
    const { notes, sizes } = await carried({ maxBytes: bytes + 100 })
    expect(notes.join()).toContain('HDR')
    expect(sizes[2]).toBeUndefined()
  })

  it('is kept beside a grey picture, which decoders for maps cannot read as one channel', async () => {
    const { withGainMap } = await import('../../../src/formats/jpeg/gain-map.ts')
    const { morePictures } = await import('../../../src/formats/jpeg/more-pictures.ts')
    const grey = await open(photo(320, 200)).grayscale().toColourspace('srgb').jpeg({ quality: 97 }).toBuffer()
    const { data } = await optimizer.optimize(withGainMap(grey, morePictures(source).gainMap!))
    const { info } = await sharp(data).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 320, height: 200 })
    expect((await sharp(data).metadata()).gainMap).toBeDefined()
  })
})

describe('what else is left out', () => {
  it('is a second picture', async () => {
    const jpeg = await open(photo(64, 48)).jpeg({ quality: 97 }).toBuffer()
    const second = Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(2)])
    const { withGainMap } = await import('../../../src/formats/jpeg/gain-map.ts')
    const { notes } = await carried({}, withGainMap(writeJpeg(jpeg, {}), second))
    expect(notes).toEqual([expect.stringContaining('is left out')])
  })

  it('is content credentials, of the same bytes none', async () => {
    const png = await open(photo(64, 48)).png({ compressionLevel: 1 }).toBuffer()
    const signed = Buffer.concat([png.subarray(0, 33), encodePngChunk('caBX', [Buffer.alloc(40, 1)]), png.subarray(33)])
    const { notes } = await carried({}, signed)
    expect(notes).toEqual([expect.stringContaining('for other bytes')])
    expect((await carried({}, png)).notes).toEqual([])
  })
})
