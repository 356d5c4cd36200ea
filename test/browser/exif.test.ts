import { createOptimizer } from '@pixpress/core'
import { exifFiles, requireTool } from '@pixpress/testkit'
import type { ExifField } from '@pixpress/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyPage } from './chromium.ts'
const {
  behindPixels,
  corners,
  exif,
  exifSegment,
  inJpeg,
  inPng,
  inWebp,
  orientation,
  pngChunk,
  animatedPng,
  resolution,
  TYPE,
} = exifFiles

const chromium = requireTool('chromium')
const optimizer = createOptimizer({ concurrency: 2 })
let opened: Awaited<ReturnType<typeof openEmptyPage>> | undefined
let page: Page

beforeAll(async () => {
  if (chromium === undefined) return
  opened = await openEmptyPage(chromium)
  page = opened.page
})

afterAll(async () => {
  await optimizer.close()
  await opened?.close()
})

/** The box of an `<img>` without sizes, and which corners are bright in red and in green. */
interface Seen {
  readonly box: string
  readonly corners: string
}

function seen(images: readonly (readonly [data: Uint8Array, type: string])[]): Promise<Seen[]> {
  const urls = images.map(([data, type]) => `data:${type};base64,${Buffer.from(data).toString('base64')}`)
  return page.evaluate(async (all) => {
    const found: { box: string; corners: string }[] = []
    for (const src of all) {
      const image = Object.assign(new Image(), { src })
      document.body.replaceChildren(image)
      await image.decode()
      const { width, height } = image.getBoundingClientRect()
      const context = new OffscreenCanvas(8, 8).getContext('2d')!
      context.drawImage(image, 0, 0, 8, 8)
      const places = [[1, 1], [6, 1], [1, 6], [6, 6]] as const // prettier-ignore
      const bright = places.map(([x, y]) => {
        const [red = 0, green = 0] = context.getImageData(x, y, 1, 1).data
        return `${red > 128 ? 'R' : '-'}${green > 128 ? 'G' : '-'}`
      })
      found.push({ box: `${width}×${height}`, corners: bright.join(' ') })
    }
    return found
  }, urls)
}

/** Every way to write an orientation that some program has written, or that a damaged file has. */
const ORIENTATIONS: readonly (readonly [name: string, fields: readonly ExifField[], pointer?: 'first'])[] = [
  ['none', []],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((value) => [`SHORT ${value}`, [orientation(TYPE.short, [value])]] as const),
  ...[0, 9, 0x0600].map((value) => [`SHORT ${value}`, [orientation(TYPE.short, [value])]] as const),
  ...Object.entries(TYPE)
    .filter(([name]) => name !== 'short')
    .map(([name, type]) => [`${name} 6`, [orientation(type, [6])]] as const),
  ['two SHORT', [orientation(TYPE.short, [6, 6])]],
  ['three SHORT', [orientation(TYPE.short, [6, 6, 6])]],
  ['SHORT of count 0', [orientation(TYPE.short, [6], { count: 0 })]],
  ['3, then 6', [orientation(TYPE.short, [3]), orientation(TYPE.short, [6])]],
  ['LONG 8, then SHORT 6', [orientation(TYPE.long, [8]), orientation(TYPE.short, [6])]],
  ['SHORT 9, then SHORT 6', [orientation(TYPE.short, [9]), orientation(TYPE.short, [6])]],
  ['6 in the EXIF directory', [orientation(TYPE.short, [6], { in: 'exif' })]],
  ['3, and 8 in the EXIF directory', [orientation(TYPE.short, [3]), orientation(TYPE.short, [8], { in: 'exif' })]],
  ['LONG 6, and 8 in the EXIF directory', [orientation(TYPE.long, [6]), orientation(TYPE.short, [8], { in: 'exif' })]],
  [
    '8 in the EXIF directory before 3',
    [orientation(TYPE.short, [8], { in: 'exif' }), orientation(TYPE.short, [3])],
    'first',
  ],
]

/** Resolutions with pixel dimensions that agree with them, or do not. */
function resolutionsOf([width, height]: readonly [number, number]): (readonly [string, readonly ExifField[]])[] {
  const half: [number, number] = [Math.round(width / 2), Math.round(height / 2)]
  return [
    ['no resolution', []],
    ['72', resolution({ dpi: [72, 72], size: [width, height] })],
    ['144', resolution({ dpi: [144, 144], size: half })],
    ['144, LONG dimensions', resolution({ dpi: [144, 144], size: half, type: TYPE.long })],
    ['144, BYTE dimensions', resolution({ dpi: [144, 144], size: half, type: TYPE.byte })],
    ['36', resolution({ dpi: [36, 36], size: [width * 2, height * 2] })],
    ['144 by 36', resolution({ dpi: [144, 36], size: [half[0], height * 2] })],
    ['144 per centimetre', resolution({ dpi: [144, 144], unit: 3, size: half })],
    ['144, dimensions of another picture', resolution({ dpi: [144, 144], size: [half[0] + 1, half[1]] })],
    ['144, dimensions turned', resolution({ dpi: [144, 144], size: [half[1], half[0]] })],
  ]
}

interface Case {
  readonly name: string
  readonly data: Buffer
  readonly type: string
}

/** Compares what is seen of each file before and after it is compressed. */
async function expectSame(cases: readonly Case[]): Promise<void> {
  const results = await Promise.all(cases.map(({ data }) => optimizer.optimize(data, { effort: 'fast' })))
  const before = await seen(cases.map(({ data, type }) => [data, type]))
  const after = await seen(results.map(({ data, info }) => [data, info.type]))
  const listed = (all: readonly Seen[]): string[] =>
    cases.map(({ name }, index) => `${name}: ${all[index]!.box} ${all[index]!.corners}`)
  expect(listed(after)).toEqual(listed(before))
  // The set turns and scales: files that are all shown alike would prove nothing.
  expect(new Set(before.map(({ corners: each }) => each)).size).toBeGreaterThan(1)
  // Every file is worked on. Metadata alone would be stripped from one that stays.
  expect(results.every(({ data }, index) => data.length <= cases[index]!.data.length + 160)).toBe(true)
}

describe.skipIf(chromium === undefined)('an <img> without sizes in Chromium', () => {
  it.each([
    ['whole blocks', 64, 40],
    ['blocks that are cut off', 83, 50],
  ])('has the same box and sides for a JPEG of %s, whatever its EXIF', async (_, width, height) => {
    const jpeg = await corners(width, height).jpeg({ quality: 92 }).toBuffer()
    const cases = (['II', 'MM'] as const).flatMap((order) =>
      ORIENTATIONS.flatMap(([turn, fields, pointer]) =>
        resolutionsOf([width, height]).map(([scale, more]): Case => ({
          name: `${order}, ${turn}, ${scale}`,
          data: inJpeg(jpeg, exifSegment(exif(order, [...fields, ...more], pointer))),
          type: 'image/jpeg',
        })),
      ),
    )
    await expectSame(cases)
  })

  it('has the same box and sides for a JPEG, wherever its EXIF stands', async () => {
    const jpeg = await corners(64, 40).jpeg({ quality: 92 }).toBuffer()
    const [six, three] = [6, 3].map((value) => exif('II', [orientation(TYPE.short, [value])])) as [Buffer, Buffer]
    const xmp = Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
    const files: Record<string, Buffer> = {
      'behind XMP': inJpeg(jpeg, exifSegment(xmp, ''), exifSegment(six)),
      'another sixth byte': inJpeg(jpeg, exifSegment(six, 'Exif\0\xff')),
      'another prefix': inJpeg(jpeg, exifSegment(six, 'EXIF\0\0')),
      'two blocks': inJpeg(jpeg, exifSegment(six), exifSegment(three)),
      'a block without a turn first': inJpeg(jpeg, exifSegment(exif('MM', [])), exifSegment(six)),
      'a damaged block first': inJpeg(jpeg, exifSegment(Buffer.from('no TIFF, but long enough')), exifSegment(six)),
      'in front of the scan': Buffer.concat([jpeg.subarray(0, scan), exifSegment(six), jpeg.subarray(scan)]),
      'behind the scan': Buffer.concat([jpeg.subarray(0, -2), exifSegment(six), jpeg.subarray(-2)]),
      'a wrong version': inJpeg(jpeg, exifSegment(Buffer.from(six).fill(43, 2, 3))),
      'a directory that is cut off': inJpeg(jpeg, exifSegment(six.subarray(0, 20))),
    }
    await expectSame(Object.entries(files).map(([name, data]) => ({ name, data, type: 'image/jpeg' })))
  })

  it('has the same box and sides for a PNG, whatever its EXIF and wherever it stands', async () => {
    const png = await corners(64, 40).png({ compressionLevel: 1 }).toBuffer()
    const [scale] = resolutionsOf([64, 40]).slice(2)
    const frame = await corners(64, 40).negate().png().toBuffer()
    const animated = (...chunks: readonly Buffer[]): Buffer => animatedPng(png, frame, chunks)
    const blocks = (['II', 'MM'] as const).flatMap((order) =>
      ORIENTATIONS.map(
        ([turn, fields, pointer]) =>
          [`${order}, ${turn}`, pngChunk('eXIf', exif(order, [...fields, ...scale![1]], pointer))] as const,
      ),
    )
    const six = exif('II', [orientation(TYPE.short, [6])])
    const three = pngChunk('eXIf', exif('MM', [orientation(TYPE.short, [3])]))
    const wrong = Buffer.from(pngChunk('eXIf', six))
    wrong[wrong.length - 1]! ^= 1
    const cases: Record<string, Buffer> = {
      ...Object.fromEntries(blocks.map(([name, block]) => [name, inPng(png, block)])),
      ...Object.fromEntries(blocks.map(([name, block]) => [`${name}, behind the pixels`, behindPixels(png, block)])),
      'the prefix of JPEG': inPng(png, pngChunk('eXIf', Buffer.concat([Buffer.from('Exif\0\0'), six]))),
      'two chunks': inPng(png, pngChunk('eXIf', six), three),
      'a wrong check sum': inPng(png, wrong),
      animated: animated(),
      ...Object.fromEntries(
        [2, 3, 5, 6, 7, 8].map((value) => [
          `animated, ${value}`,
          animated(pngChunk('eXIf', exif('MM', [orientation(TYPE.short, [value])]))),
        ]),
      ),
      'a wrong check sum, and a right one': inPng(png, wrong, three),
    }
    await expectSame(Object.entries(cases).map(([name, data]) => ({ name, data, type: 'image/png' })))
  })

  it('has the same box and sides for a WebP and an AVIF, whatever their EXIF', async () => {
    const size = { width: 64, height: 40 }
    const webp = await corners(64, 40).webp({ quality: 90 }).toBuffer()
    const inWebps = [6, 3, 8].flatMap((value) =>
      resolutionsOf([64, 40]).map(([scale, fields]): Case => ({
        name: `WebP ${value}, ${scale}`,
        data: inWebp(webp, size, exif('II', [orientation(TYPE.short, [value]), ...fields])),
        type: 'image/webp',
      })),
    )
    const inAvifs = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(async (value): Promise<Case> => ({
        name: `AVIF ${value}`,
        data: await corners(64, 40).withMetadata({ orientation: value, density: 144 }).avif({ quality: 90 }).toBuffer(),
        type: 'image/avif',
      })),
    )
    await expectSame([...inWebps, ...inAvifs])
  })
})
