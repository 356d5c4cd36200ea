import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { PLACEHOLDER_KINDS } from '../../src/placeholder/kinds.ts'
import type { PlaceholderKind } from '../../src/placeholder/kinds.ts'
import { makePlaceholder } from '../../src/placeholder/make.ts'
import { animation, cutout, graphic, open, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'

const optimizer = createOptimizer({ concurrency: 2 })
const inputs: Record<string, Buffer> = {}

beforeAll(async () => {
  inputs.photo = await open(photo(96, 64)).jpeg({ quality: 95 }).toBuffer()
  inputs.rotated = await open(photo(96, 64)).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer()
  inputs.graphic = await open(graphic()).png().toBuffer()
  inputs.cutout = await open(cutout()).png().toBuffer()
  inputs.dot = await open(photo(1, 1)).png().toBuffer()
  inputs.gif = await animation('gif')
  inputs.svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#0a8"/></svg>',
  )
  inputs.spinner = await readFile(new URL('../fixtures/spinner.gif', import.meta.url))
})

describe.each(PLACEHOLDER_KINDS)('a placeholder by %s', (kind) => {
  it.each(['photo', 'rotated', 'graphic', 'cutout', 'dot', 'gif', 'svg', 'spinner'])(
    'of %s is a picture of at most 400 bytes, the same with the image as without',
    async (name) => {
      const plan = optimizer.plan(inputs[name]!)
      const alone = await optimizer.placeholder(plan, kind)
      const withImage = await optimizer.materialize(plan, { placeholder: kind })
      expect(withImage.placeholder).toEqual(alone)
      expect(alone.url.length).toBeLessThanOrEqual(400)
      expect(alone.color).toMatch(/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/)
      expect(alone.hash === undefined).toBe(kind === 'blur' || kind === 'color')
      const shown = await sharp(Buffer.from(alone.url.split(',')[1]!, 'base64')).metadata()
      expect(Math.max(shown.width, shown.height)).toBeLessThanOrEqual(32)
    },
  )
})

const seenAs = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes).resize(24, 24, { fit: 'fill' }).toColourspace('srgb').flatten({ background: '#fff' }).raw().toBuffer()

/** Mean difference of levels between a picture and its placeholder stretched over it. */
async function difference(source: Buffer, kind: PlaceholderKind, operations?: Operations): Promise<number> {
  const plan = optimizer.plan(source, operations)
  const [{ data }, { url }] = await Promise.all([optimizer.materialize(plan), optimizer.placeholder(plan, kind)])
  const [shown, seen] = await Promise.all([seenAs(Buffer.from(url.split(',')[1]!, 'base64')), seenAs(data)])
  return shown.reduce((sum, level, at) => sum + Math.abs(level - seen[at]!), 0) / shown.length
}

describe('what a placeholder shows', () => {
  it.each(['photo', 'rotated', 'cutout', 'gif', 'svg'])('is near %s', async (name) => {
    const [blur, hash, colour] = await Promise.all(
      (['blur', 'thumbhash', 'color'] as const).map((kind) => difference(inputs[name]!, kind)),
    )
    expect(blur).toBeLessThan(24)
    expect(hash).toBeLessThan(32)
    expect(colour).toBeGreaterThanOrEqual(0)
  })

  it('is the crop and the background that were asked for', async () => {
    const crop: Operations = { resize: { method: 'cover', width: 20, height: 40 } }
    expect(await difference(inputs.photo!, 'blur', crop)).toBeLessThan(24)
    const onRed = optimizer.plan(inputs.cutout!, { transform: { background: '#ff0000' } })
    expect((await optimizer.placeholder(onRed, 'color')).color).toHaveLength(7)
    expect((await optimizer.placeholder(optimizer.plan(inputs.cutout!), 'color')).color).toHaveLength(9)
  })
})

describe('makePlaceholder', () => {
  it('shows a picture in Display P3 in the colours of sRGB', async () => {
    // The pixels have the red of sRGB, expressed in Display P3.
    const data = Buffer.from(Array.from({ length: 64 }, () => [234, 51, 35]).flat())
    const { color } = await makePlaceholder({ data, width: 8, height: 8, channels: 3, space: 'display-p3' }, 'color')
    const [red = 0, green = 255, blue = 255] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    expect(red).toBeGreaterThan(252)
    expect(Math.max(green, blue)).toBeLessThan(16)
  })
})

describe('createOptimizer', () => {
  it('caches placeholders by themselves, and leaves the key and the bytes of the image as they are', async () => {
    const cached = createOptimizer({ cache: createMemoryCache(), concurrency: 1 })
    const plan = cached.plan(inputs.photo!)
    const plain = await optimizer.materialize(plan)
    const first = await cached.materialize(plan, { placeholder: 'thumbhash' })
    expect(Buffer.compare(first.data, plain.data)).toBe(0)
    expect(first.key).toBe(plain.key)
    const again = await cached.materialize(plan, { placeholder: 'thumbhash' })
    expect([again.cached, again.placeholder]).toEqual([true, first.placeholder])
    // Another kind needs no second work on the image.
    const other = await cached.materialize(plan, { placeholder: 'blur' })
    expect([other.cached, other.placeholder?.kind, cached.stats.encoded]).toEqual([true, 'blur', 1])
  })

  it('decodes the pixels once for the image and its placeholder', async () => {
    const cached = createOptimizer({ cache: createMemoryCache(), concurrency: 1 })
    const plan = cached.plan(inputs.photo!)
    const { work, placeholder } = await cached.materialize(plan, { placeholder: 'blur' })
    const { work: without } = await createOptimizer({ concurrency: 1 }).materialize(plan)
    expect(placeholder?.kind).toBe('blur')
    expect([work?.encodes, work?.scores, work?.probes]).toEqual([without?.encodes, without?.scores, without?.probes])
  })

  it('refuses a kind that there is not, and a picture that cannot be decoded', async () => {
    const plan = optimizer.plan(inputs.photo!)
    await expect(optimizer.placeholder(plan, 'sqip' as PlaceholderKind)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
    const cut = optimizer.plan(inputs.photo!.subarray(0, 700), {}, { file: 'cut.jpg' })
    await expect(optimizer.placeholder(cut, 'blur')).rejects.toMatchObject({ file: 'cut.jpg' })
  })
})
