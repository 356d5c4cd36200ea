import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { open, photo } from '../images.ts'

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

let png: Buffer
let jpeg: Buffer
beforeAll(async () => {
  png = await open(photo(160, 120)).png({ compressionLevel: 1 }).toBuffer()
  jpeg = await open(photo(120, 90, 2))
    .jpeg({ quality: 97 })
    .toBuffer()
})

const url = (data: Buffer, type: string): string => `data:image/${type};base64,${data.toString('base64')}`

/** The pictures of a drawing, decoded. */
const inside = (svg: Uint8Array): Buffer[] =>
  [
    ...Buffer.from(svg)
      .toString()
      .matchAll(/;base64,([\w+/=]+)/g),
  ].map(([, base64]) => Buffer.from(base64!, 'base64'))

const drawing = (images: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="200">${images}<path d="M10 10h80v30z"/></svg>`,
  )

describe('a drawing with raster images inside', () => {
  it('has each in its own type, in fewer bytes and with its size', async () => {
    const source = drawing(
      `<image xlink:href="${url(png, 'png')}" width="160" height="120"/><image href='${url(jpeg, 'jpeg')}' width="90" height="60"/>`,
    )
    const { data, score, notes } = await optimizer.optimize(source)
    const [first, second] = inside(data)
    expect(await sharp(first).metadata()).toMatchObject({ format: 'png', width: 160, height: 120 })
    expect(await sharp(second).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 90 })
    expect(first!.length).toBeLessThan(0.7 * png.length)
    expect(second!.length).toBeLessThan(0.9 * jpeg.length)
    expect(score).toBeGreaterThanOrEqual(80)
    expect(score).toBeLessThan(100)
    expect(notes).toEqual([])
  })

  it('keeps every pixel of them where that is asked for', async () => {
    const { data } = await optimizer.optimize(drawing(`<image href="${url(png, 'png')}"/>`), { lossless: true })
    const [only] = inside(data)
    expect(only!.length).toBeLessThan(png.length)
    expect(await sharp(only).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer())
  })

  it('has those in a style sheet and with line ends compressed as well', async () => {
    const lines = png.toString('base64').replaceAll(/.{76}/g, '$&\n').replaceAll('\n', '&#10;')
    const source = drawing(
      `<style>.a{fill:url(${url(jpeg, 'jpeg')})}</style><image href="data:image/png;charset=utf-8;base64,${lines}"/>`,
    )
    const { data } = await optimizer.optimize(source)
    expect(inside(data).map(({ length }) => length < 0.9 * jpeg.length || length < 0.7 * png.length)).toEqual([
      true,
      true,
    ])
  })

  it('is told to be a wrapper where it holds one of them alone', async () => {
    const source = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url(png, 'png')}"/></svg>`
    const { notes } = await optimizer.optimize(Buffer.from(source))
    expect(notes).toEqual([expect.stringContaining('of its own')])
  })

  it('keeps those that cannot be read, or are none', async () => {
    const broken = url(png.subarray(0, 300), 'png')
    const text = url(Buffer.from('plain words'), 'png')
    const { data } = await optimizer.optimize(drawing(`<image href="${broken}"/><image href="${text}"/>`))
    expect(Buffer.from(data).toString()).toContain(broken)
    expect(Buffer.from(data).toString()).toContain(text)
  })

  it('has them compressed though its markup is left alone', async () => {
    const source = Buffer.from(
      `<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><title>&a;</title><path d="M0 0h9v9z"/><image href="${url(png, 'png')}"/></svg>`,
    )
    const { data } = await optimizer.optimize(source)
    expect(
      Buffer.from(data)
        .toString()
        .replace(/base64,[\w+/=]+/, ''),
    ).toBe(source.toString().replace(/base64,[\w+/=]+/, ''))
    expect(inside(data)[0]!.length).toBeLessThan(0.7 * png.length)
  })

  it('is the same after a second time', async () => {
    const { data } = await optimizer.optimize(drawing(`<image href="${url(png, 'png')}"/>`))
    const again = await optimizer.optimize(data)
    expect(Buffer.compare(again.data, data)).toBe(0)
  })
})
