import { detect, graphic, photo } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/index.ts'
import type { Operations } from '../../src/index.ts'
import { sharpDefaults } from '../../src/optimizer/sharp-defaults.ts'

const { plan } = createOptimizer({ cache: false })

describe('sharpDefaults', () => {
  it("writes a size and a type with sharp's own settings, and the same picture without loss", async () => {
    const source = await photo(90, 60, 2).png()
    const asked: Operations = { resize: { method: 'scale', width: 45 }, convert: { type: 'image/webp' } }
    const { data, lossless } = await sharpDefaults(plan(source, asked))!()
    expect(data).toEqual(await sharp(source).resize(45).webp().toBuffer())
    expect(await sharp(lossless).raw().toBuffer()).toEqual(await sharp(source).resize(45).raw().toBuffer())
  })

  it('scales by the kernel that is asked for', async () => {
    const source = await photo(90, 60, 4).png()
    const { data } = await sharpDefaults(plan(source, { resize: { method: 'scale', width: 45, kernel: 'nearest' } }))!()
    expect(data).toEqual(await sharp(source).resize(45, null, { kernel: 'nearest' }).png().toBuffer())
  })

  it('keeps the type where none is asked for, and enlarges nothing unless that is asked', async () => {
    const source = await graphic(40, 20).png()
    const { data } = await sharpDefaults(plan(source, { resize: { method: 'scale', width: 80 } }))!()
    expect([detect(data), (await sharp(data).metadata()).width]).toEqual(['png', 40])
    const filled = plan(source, { resize: { method: 'fill', width: 30, height: 10 } })
    const { width, height } = await sharp((await sharpDefaults(filled)!()).data).metadata()
    expect([width, height]).toEqual([30, 10])
  })

  it('has nothing to compare where more is asked than a size and a type', async () => {
    const source = await photo(40, 30, 3).png()
    const more: Operations[] = [
      { resize: { method: 'cover', width: 20, height: 20 } },
      { convert: { type: ['image/avif', 'image/webp'] } },
      { encoder: { webp: { quality: 50 } }, convert: { type: 'image/webp' } },
      { maxBytes: 500 },
      { adjust: { grayscale: true } },
      { transform: { background: '#fff' } },
    ]
    expect(more.map((operations) => sharpDefaults(plan(source, operations)))).toEqual(more.map(() => undefined))
  })
})
