import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { copyFrames, openAnimationFile } from '../../../src/encoding/frame-source.ts'
import { decodeFrames } from '../../../src/encoding/frames.ts'
import { openWebpFrames } from '../../../src/formats/webp/animation-frames.ts'
import { animationOf } from '../../encoding/animations.ts'

const load = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../fixtures/properties/${name}.webp`, import.meta.url))

const uint24 = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16]
const uint32 = (value: number): number[] => [...uint24(value), value >>> 24]

function chunk(type: string, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(type), Buffer.from(uint32(data.length)), data, Buffer.alloc(data.length % 2)])
}

interface HandFrame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** 1 removes it before the next one; 2 puts it in its place. */
  readonly flags: number
  readonly lossless: boolean
  readonly seed: number
}

/** An animation of noise whose alpha takes all values. */
async function animation(width: number, height: number, frames: readonly HandFrame[], hasAlpha = true) {
  const parts: Buffer[] = []
  for (const { left, top, flags, lossless, seed, ...size } of frames) {
    let state = seed
    const pixels = Buffer.from(
      Array.from({ length: size.width * size.height * 4 }, (_, at) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
        const level = state >>> 24
        if (at % 4 !== 3) return level
        return hasAlpha ? (level < 50 ? 0 : level > 200 ? 255 : level) : 255
      }),
    )
    const still = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .webp({ lossless, quality: 80, exact: true })
      .toBuffer()
    // A lossy file with transparency has a header that says so.
    const chunks = still.subarray(12)
    const own = chunks.toString('latin1', 0, 4) === 'VP8X' ? chunks.subarray(18) : chunks
    const place = [left / 2, top / 2, size.width - 1, size.height - 1, 50].flatMap(uint24)
    parts.push(chunk('ANMF', Buffer.concat([Buffer.from([...place, flags]), own])))
  }
  const header = chunk('VP8X', Buffer.from([hasAlpha ? 0x12 : 2, 0, 0, 0, ...uint24(width - 1), ...uint24(height - 1)]))
  const body = Buffer.concat([Buffer.from('WEBP'), header, chunk('ANIM', Buffer.alloc(6)), ...parts])
  return Buffer.concat([Buffer.from('RIFF'), Buffer.from(uint32(body.length)), body])
}

const place = (left: number, top: number, width: number, height: number) => ({ left, top, width, height })

const openFrames = async (data: Uint8Array) => openWebpFrames(data, await openAnimationFile(data))

async function expectAsSharp(data: Uint8Array): Promise<void> {
  const expected = await decodeFrames(sharp(data, { animated: true, limitInputPixels: false }))
  const source = await openFrames(data)
  expect([source.width, source.height, source.count]).toEqual([expected.width, expected.height, expected.count])
  expect((await copyFrames(source)).data.equals(expected.data)).toBe(true)
}

describe('openWebpFrames', () => {
  it.each([
    ['lossless', true, true],
    ['lossy', false, true],
    ['opaque lossless', true, false],
    ['opaque lossy', false, false],
  ] as const)('shows %s frames of every kind as sharp does', async (_, lossless, hasAlpha) => {
    const frames = [
      { ...place(4, 2, 30, 22), flags: 0 },
      { ...place(0, 0, 40, 30), flags: 0 },
      { ...place(10, 6, 21, 15), flags: 1 },
      { ...place(6, 8, 25, 20), flags: 2 },
      { ...place(0, 0, 40, 30), flags: 3 },
      { ...place(8, 8, 16, 16), flags: 0 },
      { ...place(0, 4, 40, 20), flags: 0 },
    ].map((frame, index) => ({ ...frame, lossless, seed: 7 + index }))
    await expectAsSharp(await animation(40, 30, frames, hasAlpha))
  })

  it.each(['anim-lossless', 'anim-mixed'])('shows %s as sharp does', async (name) => {
    await expectAsSharp(await load(name))
  })

  it.each([true, false])(
    'decodes alpha whatever a lossless frame says of it, in a file with alpha: %s',
    async (hasAlpha) => {
      const frames = [
        { ...place(0, 0, 40, 30), flags: 0 },
        { ...place(4, 2, 30, 22), flags: 0 },
        { ...place(0, 0, 40, 30), flags: 2 },
      ].map((frame, index) => ({ ...frame, lossless: true, seed: 3 + index }))
      const data = await animation(40, 30, frames, hasAlpha)
      const hints: number[] = []
      for (let at = data.indexOf('VP8L'); at >= 0; at = data.indexOf('VP8L', at + 1)) hints.push(at + 12)
      expect(hints).toHaveLength(3)
      for (const at of hints) data[at]! &= ~0x10
      const sharps = await openAnimationFile(data)
      expect(openWebpFrames(data, sharps)).not.toBe(sharps)
      await expectAsSharp(data)
    },
  )

  it('goes back where an earlier frame is asked for', async () => {
    const { data, frames } = await animationOf('webp', { width: 700, height: 600, count: 22 })
    const source = await openFrames(data)
    const bytes = 700 * 600 * 4
    for (const index of [21, 3, 4, 20, 0]) {
      const expected = frames.data.subarray(index * bytes, (index + 1) * bytes)
      expect(Buffer.compare(await source.frame(index), expected)).toBe(0)
    }
  })

  it('leaves damaged files to sharp', async () => {
    const data = await load('anim-lossless')
    const sharps = await openAnimationFile(data)
    expect(openWebpFrames(data, sharps)).not.toBe(sharps)
    const [longer, shorter] = [Buffer.concat([data, Buffer.alloc(3, 65)]), data.subarray(0, data.length - 20)]
    for (const damaged of [longer, shorter]) expect(openWebpFrames(damaged, sharps)).toBe(sharps)
  })
})
