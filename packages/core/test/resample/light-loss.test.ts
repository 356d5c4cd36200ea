import { describe, expect, it } from 'vitest'
import { lightLoss } from '../../src/resample/light-loss.ts'
import { LIGHT_LOSS_MODULE } from '../../src/resample/light-loss.wasm.ts'
import { blockEdges } from '../../src/resample/raster.ts'
import type { GammaRaster } from '../../src/resample/raster.ts'
import { encodedTable, lightTable } from '../../src/resample/transfer.ts'
import { photo } from '../images.ts'

type Opaque = GammaRaster & { readonly channels: 3 }

const opaque = (drawn: ReturnType<typeof photo>): Opaque => ({ ...drawn, encoding: 'gamma8', channels: 3 })

/** The same by the definition, one block after the other. */
function expected({ data, width, height }: Opaque, size: { width: number; height: number }): number[] {
  const [columns, rows] = [blockEdges(width, size.width), blockEdges(height, size.height)]
  const loss: number[] = []
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const block: number[] = []
        for (let row = rows[y]!; row < rows[y + 1]!; row++) {
          for (let column = columns[x]!; column < columns[x + 1]!; column++) {
            block.push(data[(row * width + column) * 3 + channel]!)
          }
        }
        const light = block.reduce((sum, sample) => sum + lightTable('gamma8')[sample]!, 0) / block.length
        const mean = block.reduce((sum, sample) => sum + sample, 0) / block.length
        loss.push(Math.max(0, Math.round(encodedTable()[Math.round(light)]! - mean)))
      }
    }
  }
  return loss
}

describe('the light that averaging loses', () => {
  it.each([
    [97, 61],
    [40, 20],
    [5, 3],
    [160, 1],
  ])('is that of each block at %i × %i', (width, height) => {
    const source = opaque(photo(160, 120))
    const made = [...lightLoss(source, { width, height })]
    const differences = expected(source, { width, height }).map((level, at) => Math.abs(level - made[at]!))
    expect(Math.max(...differences)).toBeLessThanOrEqual(1)
    expect(differences.filter((difference) => difference > 0).length).toBeLessThan(made.length / 100)
  })

  it('is 60 levels of a check of black and white, however large its blocks are', () => {
    const data = Buffer.alloc(600 * 400 * 3)
    for (let at = 0; at < 600 * 400; at++)
      data.fill(((at % 600) + Math.floor(at / 600)) % 2 === 0 ? 255 : 0, 3 * at, 3 * at + 3)
    const source = { data, width: 600, height: 400, channels: 3, encoding: 'gamma8' } as const
    expect([...lightLoss(source, { width: 300, height: 200 })].every((level) => level === 60 || level === 61)).toBe(
      true,
    )
    const [single] = lightLoss(source, { width: 1, height: 1 })
    expect(Math.abs(single! - 60)).toBeLessThanOrEqual(1)
  })

  it('is summed up by a small module', () => {
    expect(Buffer.from(LIGHT_LOSS_MODULE, 'base64').length).toBeLessThan(2000)
  })
})
