import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { readGif, stripGif } from '../../../src/formats/gif/metadata.ts'
import { fixture } from '../../metadata/fixture.ts'

let animated: Uint8Array

beforeAll(async () => {
  const frame = sharp({ create: { width: 8, height: 8, channels: 3, background: '#0f0' } })
  const frames = [await frame.png().toBuffer(), await frame.negate().png().toBuffer()]
  animated = new Uint8Array(
    await sharp(frames, { join: { animated: true } })
      .gif({ loop: 3, delay: [50, 70] })
      .toBuffer(),
  )
})

const COMMENT = Buffer.from('!\xfe\x03abc\0', 'latin1')
const PROFILE = Buffer.from('!\xff\x0bICCRGBG1012\x02ab\0', 'latin1')

/** With blocks in front of the trailer. */
const insert = (gif: Uint8Array, ...blocks: Uint8Array[]): Uint8Array =>
  new Uint8Array(Buffer.concat([gif.subarray(0, -1), ...blocks, gif.subarray(-1)]))
const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data, { animated: true }).raw().toBuffer()

describe('stripGif', () => {
  it('removes comment and XMP and no pixel', async () => {
    const data = fixture('gif-comment-xmp.gif')
    const stripped = stripGif(data)
    expect(Buffer.from(stripped).includes('Ada')).toBe(false)
    expect(readGif(stripped)).toEqual({})
    expect((await pixels(stripped)).equals(await pixels(data))).toBe(true)
    expect(stripGif(stripped)).toBe(stripped)
  })

  it('keeps looping, delays and frames', async () => {
    expect(Buffer.from(animated).includes('NETSCAPE2.0')).toBe(true)
    expect(stripGif(animated)).toBe(animated)
    expect(stripGif(insert(animated, COMMENT, PROFILE))).toEqual(animated)
    expect(await sharp(stripGif(insert(animated, COMMENT)), { animated: true }).metadata()).toMatchObject({
      loop: 3,
      pages: 2,
      delay: [50, 70],
    })
  })

  it('keeps the other name of the looping extension', () => {
    const data = insert(animated, Buffer.from('!\xff\x0bANIMEXTS1.0\x03\x01\0\0\0', 'latin1'))
    expect(stripGif(data)).toBe(data)
  })

  it('removes bytes behind the trailer', () => {
    expect(stripGif(new Uint8Array([...animated, ...Buffer.from(';<script>')]))).toEqual(animated)
  })

  it('returns the same array for a file that is truncated or has something else between blocks', () => {
    const cut = insert(animated, COMMENT).subarray(0, -1)
    expect(stripGif(cut)).toBe(cut)
    const odd = insert(animated, COMMENT, Uint8Array.of(0x42))
    expect(stripGif(odd)).toBe(odd)
  })
})
