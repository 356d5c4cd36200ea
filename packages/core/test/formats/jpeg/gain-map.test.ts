import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photoInHdr, requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { fitGainMap, withGainMap } from '../../../src/formats/jpeg/gain-map.ts'
import { segments, stripJpeg } from '../../../src/formats/jpeg/metadata.ts'
import { hasCredentials, morePictures, withoutList } from '../../../src/formats/jpeg/more-pictures.ts'
import { ascii, bigEndian, concatBytes } from '../../../src/metadata/bytes.ts'

const WIDE = { orientation: 1, scale: 1 } as const

let source: Buffer
let map: Uint8Array
beforeAll(async () => {
  source = await photoInHdr(320, 200)
  map = morePictures(source).gainMap!
})

const segment = (marker: number, content: Uint8Array): Uint8Array =>
  concatBytes([Uint8Array.of(0xff, marker), bigEndian(content.length + 2, 2), content])

const xmp = (text: string): Uint8Array =>
  segment(0xe1, concatBytes([ascii('http://ns.adobe.com/xap/1.0/\0'), ascii(text)]))

/** The same map as phones write it, its values in XMP. */
const inXmp = (): Uint8Array => {
  const bare = stripJpeg(map)
  const values =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMin="0" ' +
    'hdrgm:GainMapMax="1.5" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" ' +
    'hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="1.5" hdrgm:BaseRenditionIsHDR="False"/></rdf:RDF></x:xmpmeta>'
  return concatBytes([bare.subarray(0, 2), xmp(values), bare.subarray(2)])
}

/** The pixels that a bright screen shows, as light. */
const lights = (file: Uint8Array): Promise<Float32Array> =>
  floats((sharp(file) as Sharp & { withGainMap(): Sharp }).withGainMap())

/** The pixels that other screens show, as light. */
const dimLights = (file: Uint8Array): Promise<Float32Array> => floats(sharp(stripJpeg(file)).toColourspace('scrgb'))

async function floats(opened: Sharp): Promise<Float32Array> {
  const { data } = await opened.raw({ depth: 'float' }).toBuffer({ resolveWithObject: true })
  return new Float32Array(data.buffer, data.byteOffset, data.length / 4)
}

const brightest = (values: Float32Array): number => values.reduce((most, value) => Math.max(most, value))

const sizeOf = async (file: Uint8Array): Promise<unknown[]> => {
  const { width, height, channels } = await sharp(file).metadata()
  return [width, height, channels]
}

describe('a gain map', () => {
  it('is found behind a picture, and nothing is behind others', async () => {
    expect(await sizeOf(map)).toEqual([160, 100, 1])
    expect(morePictures(source)).toMatchObject({ hasOtherMap: false, others: 0 })
    const alone = await sharp(source).jpeg().toBuffer()
    expect(morePictures(alone)).toEqual({ gainMap: undefined, hasOtherMap: false, others: 0 })
  })

  it('shows a bright screen what it showed before', async () => {
    const picture = stripJpeg(source)
    const again = withGainMap(picture, await fitGainMap(map, WIDE))
    const [before, after] = [await lights(source), await lights(again)]
    expect(brightest(before)).toBeGreaterThan(1.5 * brightest(await dimLights(source)))
    const difference = before.reduce((sum, value, at) => sum + Math.abs(value - after[at]!), 0) / before.length
    expect(difference).toBeLessThan(0.01 * brightest(before))
    expect(again.length).toBeLessThan(source.length)
  })

  it('is found again where it was put, by its list and by itself', async () => {
    const fitted = await fitGainMap(map, WIDE)
    const file = withGainMap(stripJpeg(source), fitted)
    expect(morePictures(file).gainMap).toEqual(fitted)
    expect(morePictures(withoutList(file)).gainMap).toEqual(fitted)
    expect((await sharp(withoutList(file)).metadata()).gainMap).toBeUndefined()
  })

  it('with values in XMP has the file tell of it in XMP', async () => {
    const fitted = await fitGainMap(inXmp(), WIDE)
    const file = withGainMap(stripJpeg(source), fitted)
    const text = Buffer.from(file).toString('latin1')
    expect(text).toContain(`Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${fitted.length}"`)
    expect(text).not.toContain('21496')
    expect((await sharp(file).metadata()).gainMap?.image.length).toBe(fitted.length)
    expect(brightest(await lights(file))).toBeGreaterThan(1.5 * brightest(await dimLights(source)))
  })

  it('is cut, turned and scaled with its picture', async () => {
    expect(await sizeOf(await fitGainMap(map, { ...WIDE, scale: 0.5 }))).toEqual([80, 50, 1])
    expect(await sizeOf(await fitGainMap(map, { ...WIDE, orientation: 6 }))).toEqual([100, 160, 1])
    const part = { left: 0.5, top: 0, width: 0.5, height: 1 }
    const right = await fitGainMap(map, { ...WIDE, part })
    const expected = await sharp(map).extract({ left: 80, top: 0, width: 80, height: 100 }).raw().toBuffer()
    const pixels = await sharp(right).raw().toBuffer()
    expect(pixels.length).toBe(expected.length)
    const off = pixels.reduce((sum, value, at) => sum + Math.abs(value - expected[at]!), 0) / pixels.length
    expect(off).toBeLessThan(4)
  })

  it('is not encoded a second time', async () => {
    const once = await fitGainMap(map, WIDE)
    expect(await fitGainMap(once, WIDE)).toEqual(once)
  })

  it('of a kind whose values are lost is told apart', () => {
    const [, ...rest] = [...segments(stripJpeg(map))]
    expect(rest.length).toBeGreaterThan(0)
    const apple = concatBytes([
      Uint8Array.of(0xff, 0xd8),
      xmp('<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>'),
      stripJpeg(map).subarray(2),
    ])
    const file = concatBytes([stripJpeg(source), apple])
    expect(morePictures(file)).toEqual({ gainMap: undefined, hasOtherMap: true, others: 0 })
  })
})

describe('a list of pictures', () => {
  it('is read as other programs read it', { skip: requireTool('exiftool') === undefined }, async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-map-'))
    const fitted = await fitGainMap(map, WIDE)
    const file = path.join(folder, 'a.jpg')
    await writeFile(file, withGainMap(stripJpeg(source), fitted))
    const read = JSON.parse(execFileSync('exiftool', ['-j', '-a', '-G1', '-n', file], { encoding: 'utf8' })) as object[]
    const image = execFileSync('exiftool', ['-b', '-MPImage2', file])
    await rm(folder, { recursive: true })
    expect(read[0]).toMatchObject({ 'MPF0:NumberOfImages': 2, 'MPImage2:MPImageLength': fitted.length })
    expect(read[0]).not.toHaveProperty('ExifTool:Warning')
    expect(image.equals(fitted)).toBe(true)
  })

  it.each([
    ['cut off', (file: Uint8Array) => file.subarray(0, file.length - map.length - 4)],
    ['that points beyond the end', (file: Uint8Array) => changedOffset(file, 0xfffffff0)],
    ['that points into the picture', (file: Uint8Array) => changedOffset(file, 40)],
  ])('%s gives no picture', (_, change) => {
    const { gainMap, others } = morePictures(change(withoutBehind()))
    expect([gainMap, others]).toEqual([undefined, 0])
  })

  it('counts the picture for the other eye, and no preview', () => {
    const other = stripJpeg(map)
    const file = withGainMap(stripJpeg(source), other)
    expect(morePictures(file)).toEqual({ gainMap: undefined, hasOtherMap: false, others: 1 })
    const preview = Uint8Array.from(file)
    const at = Buffer.from(file).indexOf('MPF\0') + 4
    preview.set(bigEndian(0x010002, 4), at + 8 + 2 + 36 + 4 + 16)
    expect(morePictures(preview).others).toBe(0)
  })
})

/** The file with its list, and without what the list points to. */
function withoutBehind(): Uint8Array {
  const file = withGainMap(stripJpeg(source), map)
  return file.subarray(0, file.length - map.length)
}

function changedOffset(file: Uint8Array, offset: number): Uint8Array {
  const changed = Uint8Array.from(file)
  const at = Buffer.from(file).indexOf('MPF\0') + 4
  changed.set(bigEndian(offset, 4), at + 8 + 2 + 36 + 4 + 16 + 8)
  return changed
}

describe('content credentials', () => {
  it('are found in boxes of JPEG alone', () => {
    const picture = stripJpeg(source)
    const box = concatBytes([
      ascii('JP'),
      bigEndian(1, 2),
      bigEndian(1, 4),
      bigEndian(60, 4),
      ascii('jumb'),
      ascii('....jumdc2pa'),
    ])
    const signed = concatBytes([picture.subarray(0, 2), segment(0xeb, box), picture.subarray(2)])
    expect(hasCredentials(signed)).toBe(true)
    expect(hasCredentials(picture)).toBe(false)
  })
})
