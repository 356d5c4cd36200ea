import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createOperations } from '../../src/compress/file-operations.ts'
import type { Config } from '../../src/base/config.ts'

const root = path.resolve('/', 'site')
const config: Config = {
  quality: 'balanced',
  preserve: ['copyright'],
  overrides: [
    { include: 'textures/**', exclude: 'textures/photos/**', lossless: true },
    { include: ['**/hero.*', /poster/], quality: 95 },
  ],
}

const of = (file: string | undefined, flags = {}) =>
  createOperations(config, flags, root)(file === undefined ? undefined : path.join(root, file))

describe('the operations of a file', () => {
  it('are those of the configuration, overruled by its overrides that include the file', () => {
    const usual = { quality: 'balanced', preserve: ['copyright'] }
    expect(of('a.png')).toEqual({ operations: usual, score: 70 })
    expect(of('textures/a.png').operations).toEqual({ ...usual, lossless: true })
    expect(of('textures/photos/a.png').operations).toEqual(usual)
    expect(of('textures/hero.png')).toEqual({ operations: { ...usual, lossless: true, quality: 95 }, score: 95 })
    expect(of('../other/hero.png').score).toBe(95)
    expect(of('poster-1.png').score).toBe(95)
  })

  it('are overruled by flags', () => {
    expect(of('textures/hero.png', { quality: 60 })).toMatchObject({ operations: { lossless: true }, score: 60 })
  })

  it('are those of all where the image has no name', () => {
    expect(of(undefined).score).toBe(70)
  })
})
