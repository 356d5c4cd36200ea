import { checkStructure, requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { isSurelyOurs, PNG_MARK } from '../../../src/formats/png/mark.ts'
import { stripPng, writePng } from '../../../src/formats/png/metadata.ts'
import { graphic, open, photo } from '../../images.ts'

const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data).ensureAlpha().raw().toBuffer()

describe('the mark of a PNG file', () => {
  it.each([1, 6, 9])('takes no byte and changes no pixel of a palette, at zlib level %i', async (compressionLevel) => {
    const plain = await open(photo()).png({ palette: true, compressionLevel }).toBuffer()
    expect(PNG_MARK.read(plain)).toBeUndefined()
    const marked = PNG_MARK.write(plain, 80)
    expect(PNG_MARK.read(marked)).toBeDefined()
    expect(marked.length).toBe(plain.length)
    expect(await pixels(marked)).toEqual(await pixels(plain))
  })

  it.skipIf(requireTool('pngcheck') === undefined).each([1, 6, 9])(
    'leaves a file that pngcheck accepts, at zlib level %i',
    async (compressionLevel) => {
      for (const picture of [photo(), graphic(40, 30)]) {
        const plain = await open(picture).png({ palette: true, compressionLevel }).toBuffer()
        const marked = PNG_MARK.write(plain, 80)
        expect(PNG_MARK.read(marked)).toBeDefined()
        await checkStructure(marked)
      }
    },
  )

  it('is not what other encoders write of small pictures at such a level', async () => {
    const plain = await open(graphic(40, 30)).png({ palette: true, compressionLevel: 9 }).toBuffer()
    const theirs = Buffer.from(plain)
    const content = theirs.indexOf('IDAT') + 4
    theirs.set([0x78, 0x5e], content)
    expect(PNG_MARK.read(theirs)).toBeUndefined()
    const marked = PNG_MARK.write(plain, 80)
    expect([marked[content], marked[content + 1]! >> 6]).toEqual([0x68, 1])
    expect(((marked[content]! << 8) + marked[content + 1]!) % 31).toBe(0)
    expect(PNG_MARK.read(marked)).toBeDefined()
    expect(await pixels(marked)).toEqual(await pixels(plain))
  })

  it('is not what libpng writes of few flat rows with little effort', async () => {
    for (const [width, height] of [
      [40, 30],
      [64, 48],
      [90, 60],
    ] as const) {
      for (const palette of [false, true]) {
        const theirs = await open(graphic(width, height)).png({ palette, compressionLevel: 2 }).toBuffer()
        expect(isSurelyOurs(theirs), `${width}×${height}, palette: ${palette}`).toBe(false)
      }
    }
    const marked = PNG_MARK.write(
      await open(graphic(40, 30)).png({ palette: true, compressionLevel: 2 }).toBuffer(),
      80,
    )
    expect(isSurelyOurs(marked)).toBe(true)
  })

  it('stays where metadata is written and taken away', async () => {
    const marked = PNG_MARK.write(await open(graphic()).png({ palette: true }).toBuffer(), 80)
    const described = writePng(marked, { copyright: { text: 'Ada', flagged: true } })
    expect(described.length).toBeGreaterThan(marked.length)
    expect(PNG_MARK.read(described)).toBeDefined()
    expect(PNG_MARK.read(stripPng(described))).toBeDefined()
  })

  it('says nothing of truecolour that another encoder compressed at such a level', async () => {
    const plain = await open(photo()).png({ compressionLevel: 4 }).toBuffer()
    expect(PNG_MARK.read(PNG_MARK.write(plain, 80))).toBeUndefined()
  })

  it('is not written into what has no pixels', () => {
    for (const data of [new Uint8Array(), Buffer.from('\x89PNG', 'latin1')]) {
      expect(PNG_MARK.write(data, 80)).toBe(data)
      expect(PNG_MARK.read(data)).toBeUndefined()
    }
  })
})
