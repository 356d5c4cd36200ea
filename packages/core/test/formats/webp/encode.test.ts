import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { hasColourEdges } from '../../../src/formats/webp/colour-edges.ts'
import { encodeWebp } from '../../../src/formats/webp/encode.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import { loopFilterLevel } from '../../../src/formats/webp/loop-filter.ts'
import { isLossyWebp } from '../../../src/formats/webp/lossy.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'

const folder = new URL('../../', import.meta.url)
const load = (name: string): Promise<Buffer> => readFile(new URL(name, folder))

async function encode(
  source: Uint8Array,
  target: number,
  isOwn: boolean = false,
  follow?: (candidates: readonly Candidate[]) => Promise<void>,
): Promise<Candidate[]> {
  const { data, info } = await sharp(source)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const picture = createPicture({ data, width: info.width, height: info.height, channels: 4 })
  const scorer = createScorer(picture)
  try {
    const request = { picture, scorer, target, effort: 'default' as const, source: isOwn ? source : undefined }
    const candidates = await encodeWebp(request)
    for (const { data: written, score, kind = 'palette' } of candidates) {
      expect(await scorer.score(written, kind)).toBeCloseTo(score, 5)
    }
    await follow?.(candidates)
    return candidates
  } finally {
    scorer.dispose()
  }
}

const isLossless = ({ data }: Candidate): boolean => !isLossyWebp(data)

describe('a drawing', () => {
  it('is written without loss in fewer colours', async () => {
    const candidates = await encode(await load('fixtures/properties/bar-0.png'), 80)
    expect(candidates.every(isLossless)).toBe(true)
    const [exact, few] = candidates
    expect(exact!.score).toBe(100)
    expect(few!.score).toBeGreaterThanOrEqual(80)
    expect(few!.data.length).toBeLessThan(exact!.data.length * 0.7)
  })

  it('keeps the colours that a file of this type has chosen', async () => {
    const own = await sharp(await load('fixtures/properties/bar-0.png'))
      .webp({ lossless: true })
      .toBuffer()
    expect((await encode(own, 80, true)).map(({ score }) => score)).toEqual([100])
  })
})

describe('an icon', () => {
  it("takes no more bytes than any of libwebp's lossless ways", async () => {
    const small = await sharp(await load('fixtures/properties/bar-0.png'))
      .resize(90, 60, { kernel: 'nearest' })
      .png()
      .toBuffer()
    const opened = sharp(small).webp({ lossless: true, effort: 6, quality: 100 })
    const [exact] = await encode(small, 80)
    expect(exact!.score).toBe(100)
    expect(exact!.data.length).toBeLessThanOrEqual((await opened.toBuffer()).length)
    const quick = await sharp(small).webp({ lossless: true, effort: 4 }).toBuffer()
    expect(exact!.data.length).toBeLessThan(quick.length)
  })
})

describe('a photograph', () => {
  it('is not written without loss where lossy keeps the promise', async () => {
    const candidates = await encode(await load('quality/metric/fixtures/coffee.png'), 80)
    expect(candidates.map(isLossless)).toEqual([false])
  })

  it('is written nearly without loss where lossy cannot keep it, and without where that is refused', async () => {
    await encode(await load('quality/metric/fixtures/coffee.png'), 93, false, async (candidates) => {
      const [near, ...more] = candidates.filter(({ score }) => score >= 93)
      expect(more).toEqual([])
      expect(isLossless(near!)).toBe(true)
      expect(near!.score).toBeLessThan(100)
      let last = near!
      for (let next: Candidate | undefined = last; next !== undefined; next = await last.raise?.(1)) last = next
      expect(last.score).toBe(100)
      expect(near!.data.length).toBeLessThan(last.data.length)
    })
  })
})

/** A disc with a soft gradient on nothing, of more colours than a drawing of its size has. */
function icon(side: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><radialGradient id="g"><stop stop-color="#ff4"/><stop offset="1" stop-color="#e40"/></radialGradient><circle cx="50%" cy="50%" r="46%" fill="url(#g)"/><path d="M${side * 0.3} ${side * 0.6}q${side * 0.2} ${side * 0.25} ${side * 0.4} 0" fill="none" stroke="#630" stroke-width="${side / 20}"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

describe('a small picture of many colours', () => {
  it('is written without loss in few where it repeats pixels, and lossily only where that is smaller', async () => {
    const source = await icon(96)
    const { data, info } = await sharp(source).raw().toBuffer({ resolveWithObject: true })
    expect(createPicture({ data, width: info.width, height: info.height, channels: 4 }).graphic).toBe(false)
    const candidates = await encode(source, 80)
    const few = candidates.find((each) => isLossless(each) && each.score < 100)!
    expect(few.score).toBeGreaterThanOrEqual(80)
    const lossy = await sharp(source).webp({ quality: 90, smartSubsample: true }).toBuffer()
    expect(few.data.length).toBeLessThan(lossy.length)
    const others = candidates.filter((each) => !isLossless(each))
    for (const { data: other } of others) expect(other.length).toBeLessThanOrEqual(few.data.length)
  })

  it('costs a photograph no palette', async () => {
    const source = await sharp(await load('quality/metric/fixtures/coffee.png'))
      .resize(96, 96)
      .png()
      .toBuffer()
    const candidates = await encode(source, 80)
    expect(candidates.map(isLossless)).toEqual([false])
  })
})

it('encodes nothing lossy that would be larger than what is of use', async () => {
  const source = await load('quality/metric/fixtures/coffee.png')
  const { data, info } = await sharp(source).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const picture = createPicture({ data, width: info.width, height: info.height, channels: 3 })
  const scorer = createScorer(picture)
  try {
    const request = { picture, scorer, target: 80, effort: 'default' as const, source: undefined }
    const [found] = await encodeWebp(request)
    const { length } = found!.data
    const [same] = await encodeWebp({ ...request, mostBytes: length * 2 })
    expect(Buffer.compare(same!.data, found!.data)).toBe(0)
    const below = await encodeWebp({ ...request, mostBytes: Math.floor(length / 2) })
    expect(below.filter((each) => isLossyWebp(each.data))).toEqual([])
  } finally {
    scorer.dispose()
  }
})

it.each([
  'bar-0.png',
  'rgb8.png',
  'pal-trns.png',
  'hero-linear-24bit.png',
  'lossless.webp',
  'near-lossless-60.webp',
  'lossy-alpha.webp',
])('a result of %s is left alone by an optimizer that does not know it', async (name) => {
  const optimizer = createOptimizer({ cache: false, concurrency: 1 })
  try {
    const { data } = await optimizer.optimize(await load(`fixtures/properties/${name}`), {
      convert: { type: 'image/webp' },
    })
    const again = await optimizer.optimize(data)
    expect(again.kept).toBe('input')
    expect(Buffer.compare(again.data, data)).toBe(0)
  } finally {
    await optimizer.close()
  }
})

/** Bytes of the chunk that holds the transparency (RFC 9649 section 2.7.1.2). */
function alphaBytes(webp: Uint8Array): number {
  const file = Buffer.from(webp)
  return file.readUInt32LE(file.indexOf('ALPH') + 4)
}

/** A picture of the examples, with a shadow of so many pixels around it, or none. */
async function cutOut(name: string, shadow: number): Promise<Sharp> {
  const picture = await load(`../../../examples/images/${name}.webp`)
  if (shadow === 0) return sharp(picture)
  const alpha = await sharp(picture).extractChannel('alpha').blur(shadow).raw().toBuffer({ resolveWithObject: true })
  const { width, height } = alpha.info
  const black = Buffer.alloc(width * height * 4)
  for (let at = 0; at < width * height; at++) black[4 * at + 3] = alpha.data[at * alpha.info.channels]! / 2
  const under = sharp(black, { raw: { width, height, channels: 4 } }).composite([{ input: picture }])
  return sharp(await under.png().toBuffer())
}

describe('transparency', () => {
  it.each([
    ['backpack', 0, 16],
    ['bicycle', 0, 16],
    ['backpack', 8, 2],
    ['bicycle', 8, 2],
  ] as const)('has fewer levels, but all clear and opaque: %s with a shadow of %i', async (name, shadow, off) => {
    const source = await cutOut(name, shadow)
    const pixels = await source.clone().ensureAlpha().raw().toBuffer()
    const png = await source.clone().png().toBuffer()
    const [lossy] = (await encode(png, 80)).filter((each) => isLossyWebp(each.data))
    const exact = await source.clone().webp({ quality: 50, alphaQuality: 100 }).toBuffer()
    expect(alphaBytes(lossy!.data)).toBeLessThan(0.95 * alphaBytes(exact))
    const shown = await sharp(lossy!.data).raw().toBuffer()
    let most = 0
    let wrong = 0
    for (let at = 3; at < pixels.length; at += 4) {
      const [before, after] = [pixels[at]!, shown[at]!]
      most = Math.max(most, Math.abs(after - before))
      if ((before === 0 || before === 255) && after !== before) wrong++
    }
    expect(wrong).toBe(0)
    expect(most).toBeLessThanOrEqual(off)
  })

  it('lets clear pixels not hide what a low setting does to the others, unless these are faint', async () => {
    const [width, height] = [600, 400]
    const picture = sharp(await load('../../../examples/images/meadow.jpg'))
      .resize(width, height)
      .ensureAlpha()
    const pixels = await picture.raw().toBuffer()
    const dots = async (alpha: number): Promise<readonly [length: number, atSetting40: number]> => {
      const data = Buffer.from(pixels)
      for (let at = 0; at < width * height; at++) {
        const [x, y] = [at % width, Math.floor(at / width)]
        data[4 * at + 3] = Math.hypot((x % 200) - 100, (y % 200) - 100) < 14 ? alpha : 0
      }
      const source = sharp(data, { raw: { width, height, channels: 4 } })
      const png = await source.clone().png().toBuffer()
      const [lossy] = (await encode(png, 80)).filter((each) => isLossyWebp(each.data))
      const plain = await source.clone().webp({ quality: 40, effort: 4, alphaQuality: 70 }).toBuffer()
      return [lossy!.data.length, plain.length]
    }
    const [seen, seenAt40] = await dots(255)
    const [faint, faintAt40] = await dots(24)
    expect(seen).toBeGreaterThan(0.97 * seenAt40)
    expect(faint).toBeLessThan(0.95 * faintAt40)
  })

  it('keeps all levels where they take fewer bytes', async () => {
    const ramp = Buffer.alloc(160 * 160 * 4)
    const texture = await sharp(await load('../../../examples/images/meadow.jpg'))
      .resize(160, 160)
      .raw()
      .toBuffer()
    for (let pixel = 0; pixel < 160 * 160; pixel++) {
      ramp.set(texture.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel)
      ramp[4 * pixel + 3] = 40 + (pixel % 160)
    }
    const source = sharp(ramp, { raw: { width: 160, height: 160, channels: 4 } })
    const png = await source.clone().png().toBuffer()
    const [lossy] = (await encode(png, 80)).filter((each) => isLossyWebp(each.data))
    const exact = await source.clone().webp({ quality: 50, alphaQuality: 100 }).toBuffer()
    expect(alphaBytes(lossy!.data)).toBe(alphaBytes(exact))
  })
})

describe('a photograph that scores higher without its loop filter', () => {
  it('is written without, in fewer bytes than with the filter at the lowest setting that keeps the promise', async () => {
    const meadow = await load('../../../examples/images/meadow.jpg')
    const { data, info } = await sharp(meadow)
      .autoOrient()
      .resize(640)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const picture = createPicture({ data, width: info.width, height: info.height, channels: 3 })
    const scorer = createScorer(picture)
    try {
      const [found] = await encodeWebp({ picture, scorer, target: 80, effort: 'default', source: undefined })
      expect(found!.score).toBeGreaterThanOrEqual(80)
      expect(loopFilterLevel(found!.data)).toBe(0)
      const smartSubsample = hasColourEdges(picture)
      let filtered = Infinity
      for (let quality = 92; quality > 70; quality--) {
        const raw = { width: info.width, height: info.height, channels: 3 } as const
        const file = await sharp(data, { raw }).webp({ effort: 4, quality, smartSubsample }).toBuffer()
        if ((await scorer.score(file)) < 80) break
        filtered = file.length
      }
      expect(found!.data.length).toBeLessThan(filtered)
    } finally {
      scorer.dispose()
    }
  })
})
