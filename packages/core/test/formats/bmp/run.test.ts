import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { naming } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { displayP3Profile } from '../../../src/colour/build-profile.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { open, photo } from '../../images.ts'
import { writeBmp } from './write.ts'

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

const PNG = { convert: { type: 'image/png' }, quality: 100, effort: 'fast' } as const

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/inputs/${name}.bmp`, import.meta.url))

describe('BMP as an input', () => {
  it('becomes PNG with the same pixels', async () => {
    const { data, info } = await optimizer.optimize(fixture('plain'), PNG)
    expect(info).toMatchObject({ type: 'image/png', width: 40, height: 30 })
    const shown = await sharp(data).toColourspace('srgb').removeAlpha().raw().toBuffer()
    expect(shown.equals(photo(40, 30).data)).toBe(true)
  })

  it.each(['alpha', 'masks', 'runs8', 'runs4', 'two'])('becomes WebP: %s', async (name) => {
    const { info } = await optimizer.optimize(fixture(name), { convert: { type: 'image/webp' }, effort: 'fast' })
    expect(info).toMatchObject({ type: 'image/webp', hasAlpha: name === 'alpha' })
  })

  it('stays as it is without another type, and a note says what that would save', async () => {
    const { data, notes } = await optimizer.optimize(fixture('plain'))
    expect(Buffer.from(data).equals(fixture('plain'))).toBe(true)
    expect(notes).toEqual([naming('BMP', "'convert'", 'WebP', '3654 bytes')])
  })

  it('has the colours of its profile', async () => {
    const { width, height, data } = photo(16, 12)
    const rgba = await open({ width, height, data, channels: 3 }).ensureAlpha().raw().toBuffer()
    const source = writeBmp({ width, height, data: rgba }, { bits: 24, header: 124, profile: displayP3Profile() })
    const png = await open(photo(16, 12)).withIccProfile('p3').png().toBuffer()
    // The same samples with the same meaning.
    const tagged = await sharp(png).metadata()
    expect(tagged.icc).toBeDefined()
    const plain = await optimizer.optimize(writeBmp({ width, height, data: rgba }, { bits: 24 }), PNG)
    const wide = await optimizer.optimize(source, PNG)
    expect(Buffer.from(wide.data).equals(plain.data)).toBe(false)
  })

  it.each([
    ['cut short', fixture('plain').subarray(0, -100), 'The end of this BMP is missing. Copy or export it again.'],
    ['with a depth that there is not', withDepth(7), 'This BMP is damaged. Copy or export it again.'],
  ])('is told as damaged: %s', async (_, source, message) => {
    await expect(optimizer.optimize(source, PNG)).rejects.toMatchObject({ code: 'DECODE_FAILED', message })
  })

  it('is refused with an absurd size before anything is decoded', async () => {
    const source = Buffer.from(fixture('runs8'))
    source.writeInt32LE(100_000, 18)
    source.writeInt32LE(100_000, 22)
    await expect(optimizer.optimize(source, PNG)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
  })
})

function withDepth(bits: number): Buffer {
  const file = Buffer.from(fixture('plain'))
  file.writeUInt16LE(bits, 28)
  return file
}
