import { readFile, readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { ADJUSTMENTS } from '../../src/operations/adjust.ts'
import { OPERATIONS, applyToPixels, applyToRaster, askedOf, resolveOperations } from '../../src/operations/index.ts'
import type { Operations } from '../../src/operations/index.ts'

const FOLDER = new URL('../../src/operations/', import.meta.url)

/** The names of all rows of a kind that the files of the folder export. */
async function rowsOf(kind: string): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER), 'utf8')))
  return texts.flatMap((text) =>
    [...text.matchAll(new RegExp(String.raw`^export const (\w+): ${kind}<`, 'gm'))].map(([, name]) => name!),
  )
}

describe('OPERATIONS', () => {
  it('has a line for the row of each file', async () => {
    expect(Object.keys(OPERATIONS).toSorted()).toEqual((await rowsOf('Operation')).toSorted())
    expect(Object.keys(ADJUSTMENTS).toSorted()).toEqual((await rowsOf('Adjustment')).toSorted())
  })

  it('stands in the order of its places, one for each', () => {
    expect(Object.values(OPERATIONS).map(({ place }) => place)).toEqual(Object.keys(OPERATIONS).map((_, at) => at + 1))
  })
})

describe('the pipeline', () => {
  const raster = { encoding: 'gamma8', data: Buffer.alloc(16, 128), width: 2, height: 2, channels: 4 } as const

  it('gives what nothing is asked of back as it is', async () => {
    const nothing = resolveOperations()
    const bounds = { maxPixels: 100, file: undefined }
    expect((await applyToRaster(raster, nothing, bounds)).raster).toBe(raster)
    expect(await applyToPixels(raster, nothing, 'srgb')).toBe(raster)
    expect([...askedOf('raster', nothing), ...askedOf('pixels', nothing)]).toEqual([null, null, null])
  })

  it('resizes rasters within their bounds', async () => {
    const resized = resolveOperations({ resize: { method: 'fill', width: 1, height: 2 } })
    const { raster: made } = await applyToRaster(raster, resized, { maxPixels: 2, file: undefined })
    expect(made).toMatchObject({ width: 1, height: 2 })
    const larger = resolveOperations({ resize: { method: 'fill', width: 4, height: 4, enlarge: true } })
    await expect(applyToRaster(raster, larger, { maxPixels: 15, file: 'a.png' })).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      file: 'a.png',
    })
  })

  it('flattens before it adjusts', async () => {
    const both = resolveOperations({ transform: { background: 'white' }, adjust: { invert: true } })
    const clear = { ...raster, data: Buffer.alloc(16) }
    const { data, channels } = await applyToPixels(clear, both, 'srgb')
    expect({ channels, samples: [...data] }).toEqual({ channels: 3, samples: Array.from({ length: 12 }, () => 0) })
  })
})

const refused = (operations: unknown): string => {
  try {
    resolveOperations(operations as Operations)
  } catch (error) {
    expect(error).toMatchObject({ name: 'PixpressError', code: 'INVALID_OPTION', status: 400 })
    return (error as Error).message
  }
  throw new Error(`accepted: ${JSON.stringify(operations)}`)
}

describe('resolveOperations', () => {
  it('fills in the defaults', () => {
    expect(resolveOperations()).toEqual({
      resize: null,
      types: null,
      orInput: false,
      background: null,
      preserve: [],
      score: 80,
      maxBytes: null,
      effort: 'default',
      encoder: null,
    })
  })

  it('gives equal results for equal meaning', () => {
    const one = resolveOperations({
      convert: { type: ['image/png', 'image/webp', 'image/png'] },
      preserve: ['location', 'copyright'],
      transform: { background: '#FFFFFF' },
      quality: 'balanced',
    })
    const two = resolveOperations({
      quality: 70,
      transform: { background: 'white' },
      preserve: ['copyright', 'location', 'copyright'],
      convert: { type: ['image/webp', 'image/png'] },
    })
    expect(JSON.stringify(one)).toBe(JSON.stringify(two))
  })

  it('leaves out what changes nothing, so that keys without it stay', () => {
    const nothing = { rotate: 360, hue: -720, saturation: 1, brightness: 1, flip: false, blur: false } as const
    expect(resolveOperations({ adjust: nothing })).toEqual(resolveOperations())
    const resize = { method: 'cover', width: 5, height: 4, enlarge: false, reduce: true } as const
    expect(resolveOperations({ resize }).resize).toEqual({ method: 'cover', width: 5, height: 4 })
    expect(resolveOperations({ resize: { ...resize, aspect: '1:1' } }).resize).toEqual({
      method: 'cover',
      width: 5,
      height: 4,
    })
  })

  it('gives equal adjustments and positions for equal meaning', () => {
    const one = resolveOperations({
      adjust: { tint: 'Teal', rotate: -45, median: true, background: '#F00F' },
      resize: { method: 'cover', aspect: '3:2', position: 'northwest' },
    })
    const two = resolveOperations({
      adjust: { rotate: 315, background: 'rgb(255 0 0)', median: 3, tint: 'hsl(180, 100%, 25.1%)' },
      resize: { method: 'cover', aspect: 1.5, position: [0, 0] },
    })
    expect(JSON.stringify(one)).toBe(JSON.stringify(two))
    expect(one.adjust).toEqual({ rotate: 315, tint: '#008080', median: 3, background: '#ff0000' })
  })

  it('completes and orders the settings of encoders', () => {
    const one = resolveOperations({ encoder: { 'image/png': {}, 'image/jpeg': { quality: 80 } } })
    const two = resolveOperations({ encoder: { 'image/jpeg': { progressive: true }, 'image/png': { dither: 1 } } })
    expect(JSON.stringify(one)).toBe(JSON.stringify(two))
    expect(one.encoder).toEqual({
      'image/jpeg': { quality: 80, chromaSubsampling: '4:2:0', progressive: true },
      'image/png': { dither: 1 },
    })
    expect(resolveOperations({ encoder: {} }).encoder).toBeNull()
    expect(resolveOperations({ encoder: { png: {} } })).toEqual(resolveOperations({ encoder: { 'image/png': {} } }))
  })

  it.each([
    ['one type is a demand', 'image/webp', ['image/webp'], false],
    ['a list lets the input compete', ['image/webp'], ['image/webp'], true],
    ['the wildcard stands for all four', '*/*', ['image/avif', 'image/webp', 'image/jpeg', 'image/png'], true],
    ['image/jpg is image/jpeg', 'image/jpg', ['image/jpeg'], false],
    ['webp is image/webp', 'webp', ['image/webp'], false],
    ['names of formats may stand in a list', ['jpeg', 'AVIF'], ['image/avif', 'image/jpeg'], true],
  ])('%s', (_, type, types, orInput) => {
    expect(resolveOperations({ convert: { type } } as Operations)).toMatchObject({ types, orInput })
  })

  it.each([
    [{ method: 'scale', width: 10 }],
    [{ method: 'scale', height: 10 }],
    [{ method: 'fit', width: 10, height: 20 }],
    [{ method: 'cover', width: 1, height: 1 }],
    [{ method: 'thumb', width: 10, height: 20 }],
  ])('keeps the resize %j', (resize) => {
    expect(resolveOperations({ resize } as Operations).resize).toEqual(resize)
  })

  it.each([
    [{ resize: { method: 'scale', width: 10, height: 10 } }, /exactly one of 'width' and 'height'/],
    [{ resize: { method: 'scale' } }, /exactly one of 'width' and 'height'/],
    [{ resize: { method: 'fit', width: 10 } }, /both 'width' and 'height' with method 'fit'/],
    [{ resize: { width: 10 } }, /'resize\.method' but received undefined/],
    [{ resize: { method: 'covr', width: 1, height: 1 } }, /Did you mean 'cover'\?/],
    [
      { resize: { method: 'fit', width: 0, height: 1 } },
      /a whole number of at least 1 for 'resize\.width' but received 0/,
    ],
    [{ resize: { method: 'fit', width: 1.5, height: 1 } }, /received 1\.5/],
    [{ resize: { method: 'fit', width: '1', height: 1 } }, /received '1' of type string/],
    [{ resize: { method: 'fit', width: 1, height: 1, heigth: 2 } }, /'resize\.heigth'.*Did you mean 'height'\?/],
    [{ maxBytes: 0 }, /a whole number of at least 1 for 'maxBytes' but received 0/],
    [{ maxBytes: '9' }, /received '9' of type string/],
    [{ effort: 'fats' }, /Did you mean 'fast'\?/],
    [{ encoder: { 'image/jpge': {} } }, /Did you mean 'image\/jpeg'\?/],
    [{ encoder: { 'image/jpeg': { qualty: 8 } } }, /'encoder\.image\/jpeg\.qualty'.*Did you mean 'quality'\?/],
    [{ encoder: { 'image/jpeg': { quality: 101 } } }, /a whole number from 1 to 100/],
    [{ encoder: { 'image/avif': { chromaSubsampling: '4:2:2' } } }, /'4:2:0' or '4:4:4'/],
    [{ encoder: { 'image/png': { dither: 2 } } }, /a number from 0 to 1/],
    [{ encoder: 'image/png' }, /an object for 'encoder'/],
    [{ convert: { type: 'image/wepb' } }, /Did you mean 'image\/webp'\?/],
    [{ convert: { type: [] } }, /at least one type/],
    [{ convert: 'image/webp' }, /an object for 'convert'/],
    [{ transform: { background: 'rde' } }, /a colour of CSS .*Did you mean 'red'\?/],
    [{ transform: { background: '#ffff00aa' } }, /a colour that lets nothing through for 'transform\.background'/],
    [{ adjust: { rotat: 90 } }, /'adjust\.rotat'.*Did you mean 'rotate'\?/],
    [{ adjust: { blur: 0.1 } }, /a number from 0\.3 to 1000 for 'adjust\.blur' but received 0\.1/],
    [{ adjust: { background: 'red' } }, /'rotate' beside it for 'adjust\.background'/],
    [{ resize: { method: 'fit', width: 1, aspect: '1:2' } }, /method 'cover', 'contain' or 'fill' beside it/],
    [{ resize: { method: 'scale', width: 1, position: 'top' } }, /method 'cover' or 'contain' beside it/],
    [{ resize: { method: 'contain', width: 1, height: 1, position: 'entropy' } }, /a point or a side/],
    [{ resize: { method: 'cover', width: 1, height: 1, position: 'face' } }, /no detector of faces/],
    [{ resize: { method: 'cover', width: 1, height: 1, position: [2, 0] } }, /a point '0\.3,0\.6'/],
    [{ resize: { method: 'cover', width: 1, height: 1, background: 'red' } }, /method 'contain' beside it/],
    [{ resize: { method: 'cover', aspect: '16/9' } }, /an aspect ratio such as '16:9' or 1\.5/],
    [{ preserve: ['copyrigth'] }, /Did you mean 'copyright'\?/],
    [{ preserve: 'copyright' }, /a list of/],
    [{ quality: 'hihg' }, /Did you mean 'high'\?/],
    [{ quality: 0 }, /a score from 1 to 100/],
    [{ qualty: 3 }, /'qualty'.*Did you mean 'quality'\?/],
    [null, /an object for 'operations'/],
  ])('refuses %j', (operations, message) => {
    expect(refused(operations)).toMatch(message)
  })
})
