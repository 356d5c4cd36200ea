import { readFile, readdir } from 'node:fs/promises'
import { createOptimizer } from '@pixpress/core'
import { requireTool } from '@pixpress/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmptyPage } from './chromium.ts'

/** Files that decoders agree on. */
const folder = new URL('../../packages/core/test/fixtures/apng/', import.meta.url)
const SOUND = (await readdir(folder)).filter((name) =>
  /^(?:anim|blend|default|delay|dispose|mode|num|spinner|split)/.test(name),
)

const chromium = requireTool('chromium')
let opened: Awaited<ReturnType<typeof openEmptyPage>> | undefined
let page: Page

beforeAll(async () => {
  if (chromium === undefined) return
  opened = await openEmptyPage(chromium)
  page = opened.page
})

afterAll(() => opened?.close())

interface Shown {
  /** Microseconds of each frame. */
  readonly delays: readonly (number | null)[]
  readonly plays: number
  /** A digest of what is seen of each frame. */
  readonly frames: readonly string[]
}

/** How Chromium decodes an animated PNG. */
async function shown(data: Uint8Array): Promise<Shown> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const decoder = new ImageDecoder({ data: bytes, type: 'image/png', colorSpaceConversion: 'none' })
    await decoder.tracks.ready
    const track = decoder.tracks.selectedTrack!
    const delays: (number | null)[] = []
    const frames: string[] = []
    for (let frameIndex = 0; frameIndex < track.frameCount; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex })
      delays.push(image.duration)
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight)
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0)
      const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height)
      const digest = await crypto.subtle.digest('SHA-256', pixels)
      frames.push([...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
      image.close()
    }
    return { delays, plays: track.repetitionCount, frames }
  }, Buffer.from(data).toString('base64'))
}

describe.skipIf(chromium === undefined)('animated PNGs in Chromium', () => {
  it.each(SOUND)('%s is shown as it was', async (name) => {
    const source = await readFile(new URL(name, folder))
    // A promise that only the very pixels keep.
    const { data, info } = await createOptimizer().optimize(source, { quality: 100 })
    expect(data.length).toBeLessThan(source.length)
    const before = await shown(source)
    expect(before.frames).toHaveLength(info.frames)
    expect(await shown(data)).toEqual(before)
  })
})
