import { LINEAR, exifFiles, growth, payloadSamples } from '@pixpress/testkit'
import type { PayloadSample } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detectType } from '../../../src/base/detect.ts'
import { findPayloads } from '../../../src/formats/payloads/find.ts'
import { PAYLOADS } from '../../../src/formats/payloads/table.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { payloadsInPlace } from '../../../src/optimizer/in-place.ts'
import { graphic, open, photo } from '../../images.ts'

const optimizer = createOptimizer({ cache: false, concurrency: 1 })
afterAll(() => optimizer.close())

let all: PayloadSample[]
beforeAll(async () => {
  all = await payloadSamples()
})

describe('a file with a payload', () => {
  it('is there for every row, and is found as nothing else', async () => {
    for (const { name, data } of all) {
      const found = findPayloads(data, detectType(data)!).map(({ payload }) => payload.name)
      expect(found, name).toEqual([name])
    }
    // No library at hand writes a GeoTIFF; its keys have a test of their own.
    const rows = new Set(PAYLOADS.map(({ name }) => name))
    rows.delete('map position or slide scale')
    expect(new Set(all.map(({ name }) => name))).toEqual(rows)
  })

  it('keeps it in every result of its type, where pages use it, and names it where they do not', async () => {
    for (const { name, data, isThere } of all) {
      const [found] = findPayloads(data, detectType(data)!)
      const { data: result, notes } = await optimizer.optimize(data)
      const { builds } = found!.payload
      if (builds === 'named') expect(isThere(result) || notes.length > 0, name).toBe(true)
      else expect(isThere(result), name).toBe(true)
    }
  })

  it('is named where a conversion or a resize leaves it out', async () => {
    for (const { name, data } of all) {
      const type = detectType(data)!
      if (type === 'image/svg+xml') continue
      const { notes } = await optimizer.optimize(data, {
        convert: { type: 'image/avif' },
        resize: { method: 'scale', width: 20 },
      })
      expect(notes.length, name).toBeGreaterThan(0)
    }
  })

  it('keeps every payload in place, or says that only the whole file can', async () => {
    for (const { name, data, isThere } of all) {
      const inPlace = (await payloadsInPlace(data))!
      const operations = inPlace.isExact ? { lossless: true } : {}
      const { data: result, info } = await optimizer.optimize(data, operations)
      const made = inPlace.keep(result, info.type)
      const [found] = findPayloads(data, detectType(data)!)
      expect(made !== undefined, name).toBe(found!.parts !== undefined)
      if (made !== undefined) expect([isThere(made), made.length < data.length], name).toEqual([true, true])
      if (made !== undefined && inPlace.isExact && info.type === 'image/png') {
        const [before, after] = await Promise.all([data, made].map((each) => sharp(each).raw().toBuffer()))
        expect(after!.equals(before!), name).toBe(true)
      }
    }
  })
})

describe('the counts of a panorama', () => {
  it('follow a resize, and go where the picture is cut', async () => {
    const { data } = all.find(({ name }) => name === 'projection as a panorama')!
    const half = await optimizer.optimize(data, { resize: { method: 'scale', width: 80 } })
    const text = Buffer.from(half.data).toString('latin1')
    const count = (name: string): number => Number(new RegExp(`GPano:${name}="(\\d+)"`).exec(text)?.[1])
    expect(
      ['FullPanoWidthPixels', 'FullPanoHeightPixels', 'CroppedAreaImageWidthPixels', 'CroppedAreaTopPixels'].map(count),
    ).toEqual([160, 80, 80, 20])
    const cut = await optimizer.optimize(data, { resize: { method: 'cover', width: 40, height: 40 } })
    expect(Buffer.from(cut.data).includes('GPano')).toBe(false)
    expect(cut.notes.length).toBe(1)
  })

  it('are carried to another type that has XMP', async () => {
    const { data } = all.find(({ name }) => name === 'projection as a panorama')!
    const { data: webp } = await optimizer.optimize(data, { convert: { type: 'image/webp' } })
    expect((await sharp(webp).metadata()).xmp?.includes('GPano:FullPanoWidthPixels="320"')).toBe(true)
  })

  it('come without the place of the photograph', async () => {
    const { data } = all.find(({ name }) => name === 'projection as a panorama')!
    const own = 'GPano:ProjectionType="equirectangular"'
    const place = data.toString('latin1').replace(own, 'exif:GPSLatitude="52,31.2N"'.padEnd(own.length))
    const { data: result } = await optimizer.optimize(Buffer.from(place, 'latin1'))
    expect(Buffer.from(result).includes('GPSLatitude')).toBe(false)
  })
})

it('keeps the source that draw.io writes into an attribute of its SVG', async () => {
  const source = '&lt;mxfile host=&quot;app.diagrams.net&quot;&gt;&lt;diagram&gt;jZJNb&lt;/diagram&gt;&lt;/mxfile&gt;'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="-0.5 -0.5 80 40" content="${source}">
    <defs/>  <!-- drawn by an editor -->
    <g><rect x="0" y="0" width="30.0000" height="20.0000" fill="#ffffff" stroke="#000000" pointer-events="all"/></g>
    <g><rect x="40" y="0" width="30.0000" height="20.0000" fill="#ffffff" stroke="#000000" pointer-events="all"/></g></svg>`
  const { data } = await optimizer.optimize(Buffer.from(svg))
  expect(data.length).toBeLessThan(svg.length)
  const content = /content="([^"]*)"/.exec(Buffer.from(data).toString())?.[1]
  expect(content?.replaceAll('>', '&gt;')).toBe(source)
})

it('files without payloads are worked on as ever', async () => {
  const plain = [
    await open(photo(80, 60)).jpeg().toBuffer(),
    await open(graphic(160, 205)).png().toBuffer(),
    await open(graphic(80, 60)).webp().toBuffer(),
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cc="http://creativecommons.org/ns#"><path d="M0 0h9"/></svg>',
    ),
  ]
  for (const data of plain) expect(await payloadsInPlace(data)).toBeUndefined()
})

it.each([
  ['sources that never end', '<!-- payload-type:application/vnd.excalidraw+json -->'],
  ['metadata that never ends', '<metadata a="b">'],
  ['licences one after the other', '<metadata><cc:license/></metadata>'],
  ['namespaces', '<a xmlns:b="c"/>'],
])('takes time in proportion to a drawing of %s', (_, unit) => {
  const make = (times: number): Buffer =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${unit.repeat(1000 * times)}</svg>`)
  expect(growth(make, (drawing) => void findPayloads(drawing, 'image/svg+xml'))).toBeLessThan(LINEAR)
})

it('takes time in proportion to the texts of a PNG, and leaves a file of very many alone', async () => {
  const png = await open(graphic(20, 20)).png().toBuffer()
  const card = exifFiles.pngChunk('tEXt', Buffer.from('chara\0e30='))
  const make = (times: number): Buffer => exifFiles.inPng(png, ...Array.from({ length: 200 * times }, () => card))
  expect(growth(make, (data) => void findPayloads(data, 'image/png'))).toBeLessThan(LINEAR)
  expect((await payloadsInPlace(make(1)))!.keep(png, 'image/png')).toBeUndefined()
})

it('finds the keys of a GeoTIFF', () => {
  // A big-endian directory of one tag.
  const tiff = Buffer.from('4d4d002a000000080001830e000c00000003000000000000000000000000', 'hex')
  expect(findPayloads(tiff, 'image/tiff').map(({ payload }) => payload.builds)).toEqual(['named'])
})
