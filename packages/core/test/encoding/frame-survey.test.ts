import { describe, expect, it } from 'vitest'
import { heldFrames } from '../../src/encoding/frame-source.ts'
import type { FrameSource } from '../../src/encoding/frame-source.ts'
import { surveyFrames } from '../../src/encoding/frame-survey.ts'
import { createPicture } from '../../src/encoding/picture.ts'

const [width, height, count] = [64, 64, 4]

/** Frames whose pixels have so many colours, one after the other. */
function framesOf(colours: number, alpha = 255): Buffer {
  const words = Uint32Array.from({ length: width * height * count }, (_, at) => at % colours)
  const data = Buffer.from(words.buffer)
  for (let at = 3; at < data.length; at += 4) data[at] = alpha
  return data
}

/** The same frames, and how often one was asked for. */
function counting(data: Buffer): { source: FrameSource; asked: () => number } {
  const held = heldFrames({ data, width, height, count })
  let asked = 0
  const frame = (index: number): Promise<Uint8Array> => {
    asked++
    return held.frame(index)
  }
  return { source: { ...held, frame }, asked: () => asked }
}

describe('a survey of frames', () => {
  it.each([1, 2, 255, 256, 257, 511, 512, 513, 4000])(
    'tells drawings of %i colours as pictures do',
    async (colours) => {
      for (const alpha of [255, 128, 0]) {
        const data = framesOf(colours, alpha)
        const { paletted, graphic } = createPicture({ data, width, height: height * count, channels: 4 })
        expect(await surveyFrames(counting(data).source)).toMatchObject({ paletted, graphic })
      }
    },
  )

  it('goes through the frames once, whoever asks', async () => {
    const { source, asked } = counting(framesOf(300))
    await Promise.all([surveyFrames(source), surveyFrames(source)])
    await surveyFrames(source)
    expect(asked()).toBe(count)
  })

  it('tells how far each frame differs from the one before', async () => {
    const data = Buffer.alloc(width * height * 4 * count)
    data.fill(10, width * height * 4 * 2)
    data.fill(13, width * height * 4 * 3)
    const looked = 4 * Math.ceil((width * height) / 61)
    const { differences } = await surveyFrames(counting(data).source)
    expect(differences).toEqual([0, 0, 10 * looked, 3 * looked])
  })
})
