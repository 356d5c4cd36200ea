import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { avifInDisplayP3 } from '../../../src/formats/avif/colour.ts'
import { AVIF_MARK } from '../../../src/formats/avif/mark.ts'
import { stripAvif, writeAvif } from '../../../src/formats/avif/metadata.ts'
import { cutout, open, photo } from '../../images.ts'

const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data).ensureAlpha().raw().toBuffer()

describe.each([
  ['a photograph', photo()],
  ['a cut-out', cutout()],
] as const)('the mark of an AVIF file of %s', (_, raw) => {
  it('takes no byte and changes no pixel', async () => {
    const plain = await open(raw).avif({ effort: 0 }).toBuffer()
    expect(AVIF_MARK.read(plain)).toBeUndefined()
    const marked = AVIF_MARK.write(plain, 80)
    expect(AVIF_MARK.read(marked)).toBe(80)
    expect(marked.length).toBe(plain.length)
    expect(await pixels(marked)).toEqual(await pixels(plain))
  })

  it('stays where metadata and colours are written and taken away', async () => {
    const marked = AVIF_MARK.write(await open(raw).avif({ effort: 0 }).toBuffer(), 61)
    const described = writeAvif(marked, { copyright: { text: 'Ada', flagged: true } })
    expect(described.length).toBeGreaterThan(marked.length)
    expect(AVIF_MARK.read(described)).toBe(61)
    expect(AVIF_MARK.read(stripAvif(described))).toBe(61)
    expect(AVIF_MARK.read(avifInDisplayP3(marked))).toBe(61)
  })
})

it('is in no other file', () => {
  for (const data of [new Uint8Array(), Buffer.from('RIFF1234WEBP')]) {
    expect(AVIF_MARK.write(data, 80)).toBe(data)
    expect(AVIF_MARK.read(data)).toBeUndefined()
  }
})
