import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Pixels } from '../../src/encoding/blocks.ts'
import { createPicture } from '../../src/encoding/picture.ts'
import { isLikePhotograph, lookAt, neighboursOf } from '../../src/encoding/picture-kind.ts'
import type { Look } from '../../src/encoding/picture-kind.ts'
import { photo } from '../images.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const FIGURES = ['equal', 'soft', 'busy', 'edges', 'slopes', 'textures', 'lines'] as const

/**
 * A labelled picture of the table, which `bench/kinds.mjs` measures. `many` colours are those of a photograph whatever
 * it looks like, and a `palette` has at most 256.
 */
interface Row {
  readonly picture: string
  readonly label: string
  readonly colours: string
  readonly grey: boolean
  readonly look: Look
}

function readTable(): Row[] {
  const table = readFileSync(path.join(import.meta.dirname, 'picture-kinds.tsv'), 'utf8')
  return table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [picture, , label, colours, grey, ...figures] = line.split('\t') as [string, string, string, string, string]
      const shares = FIGURES.map((name, index) => [name, Number(figures[index]) / 100])
      return { picture, label, colours, grey: grey === 'grey', look: Object.fromEntries(shares) as unknown as Look }
    })
}

const ROWS = readTable()
const isTakenForDrawing = ({ colours, grey, look }: Row): boolean =>
  colours !== 'many' && !isLikePhotograph(look, { paletted: colours === 'palette', grey })

/** Pixels in sRGB, without an alpha channel where all of them are opaque. */
async function decode(file: string): Promise<Pixels & { data: Buffer }> {
  const upright = await sharp(await readFile(file))
    .autoOrient()
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
  const { isOpaque } = await sharp(upright).stats()
  const image = isOpaque ? sharp(upright).removeAlpha() : sharp(upright).ensureAlpha()
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: isOpaque ? 3 : 4 }
}

/** The same picture in grey. */
const inGrey = ({ data, ...size }: ReturnType<typeof photo>): Pixels & { data: Buffer } => {
  const levels = Buffer.alloc(data.length)
  for (let at = 0; at < data.length; at += 3) levels.fill(data[at + 1]!, at, at + 3)
  return { ...size, data: levels }
}

/** A row of pixels, by their most different channel. */
const rowOf = (...levels: number[]): Pixels => ({
  data: Uint8Array.from(levels.flatMap((level) => [level, 100, 100])),
  width: levels.length,
  height: 1,
  channels: 3,
})

describe('the labelled pictures', () => {
  it('has no photograph that is taken for a drawing', () => {
    const photographs = ROWS.filter(({ label }) => label === 'photograph')
    expect(photographs.length).toBeGreaterThan(70)
    expect(photographs.filter(({ colours }) => colours !== 'many').length).toBeGreaterThan(14)
    expect(photographs.filter(isTakenForDrawing).map(({ picture }) => picture)).toEqual([])
  })

  it('has two drawings that are taken for photographs, because of their many colours', () => {
    const drawings = ROWS.filter(({ label }) => label === 'drawing' || label === 'screenshot')
    expect(drawings.length).toBeGreaterThanOrEqual(60)
    const missed = drawings.filter((row) => !isTakenForDrawing(row))
    expect(missed.map(({ picture, colours }) => `${path.basename(picture)} ${colours}`)).toEqual([
      '404.jpg many',
      'shop@1x.png many',
    ])
  })

  it('has no picture in a palette of colours that is taken for a photograph', () => {
    const palettes = ROWS.filter(({ colours, grey }) => colours === 'palette' && !grey)
    expect(palettes.length).toBeGreaterThan(10)
    expect(palettes.every(isTakenForDrawing)).toBe(true)
  })

  it.each(ROWS.filter(({ picture }) => !/^(?:npm|set):/.test(picture)))('has the figures of $picture', async (row) => {
    const pixels = await decode(path.join(ROOT, row.picture))
    const look = lookAt(pixels)
    // Decoders round differently on other processors.
    for (const name of FIGURES) expect(Math.abs(look[name] - row.look[name]), name).toBeLessThan(0.01)
    const { graphic, muted, paletted, grey } = createPicture(pixels)
    expect({ graphic, grey }).toEqual({ graphic: isTakenForDrawing(row), grey: row.grey })
    expect(muted).toBe(row.colours !== 'many' && !graphic)
    expect(paletted).toBe(row.colours === 'palette')
  })
})

describe('a photograph of few colours', () => {
  it('is no drawing', () => {
    expect(createPicture(inGrey(photo(400, 300)))).toMatchObject({ graphic: false, muted: true, paletted: true })
  })

  it('is taken for a drawing where it is small, as every search costs little', () => {
    expect(createPicture(inGrey(photo(160, 120)))).toMatchObject({ graphic: true, muted: false })
  })
})

describe('neighboursOf', () => {
  it('counts pairs by their most different channel', () => {
    expect(neighboursOf(rowOf(10, 10, 16, 23, 54, 86))).toEqual({ equal: 0.2, soft: 0.2, busy: 0.4, edges: 0.2 })
  })

  it('looks at one row of so many', () => {
    const { data } = rowOf(10, 10, 60, 60)
    expect(neighboursOf({ data, width: 2, height: 2, channels: 3 }, { step: 2 })).toMatchObject({ equal: 1, edges: 0 })
  })

  it('are seen pairs of one alpha alone where that is asked for', () => {
    const data = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 90, 19, 9, 9, 90, 99, 9, 9, 91)
    expect(neighboursOf({ data, width: 5, height: 1, channels: 4 }).equal).toBe(0.25)
    const seen = { equal: 0, soft: 0, busy: 1, edges: 0 }
    expect(neighboursOf({ data, width: 5, height: 1, channels: 4 }, { isSeen: true })).toEqual(seen)
  })

  it('finds nothing in a column of one pixel', () => {
    const { data } = rowOf(10, 20)
    expect(neighboursOf({ data, width: 1, height: 2, channels: 3 })).toEqual({ equal: 0, soft: 0, busy: 0, edges: 0 })
  })
})
