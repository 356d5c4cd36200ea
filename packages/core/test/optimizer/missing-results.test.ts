import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { photo, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOptimizer } from '../../src/optimizer/index.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'pixpress-frozen-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

describe('an optimizer with a frozen cache', () => {
  it('encodes, measures and draws nothing, and names all of it together, once', async () => {
    const source = await photo(64, 48).png()
    const optimizer = createOptimizer({ cache: { dir, mode: 'frozen' } })
    const wide = optimizer.plan(
      source,
      { resize: { method: 'scale', width: 32 }, convert: { type: 'image/webp' } },
      { file: 'a.png' },
    )
    const asked = [
      optimizer.materialize(wide),
      optimizer.materialize(wide),
      optimizer.optimize(source, {}, { file: 'b\u001b[2J.png' }),
      optimizer.placeholder(wide, 'thumbhash'),
      optimizer.byteCurve(wide),
    ]
    for (const each of asked) await expect(each).rejects.toMatchObject({ name: 'PixpressError', code: 'NOT_CACHED' })
    expect(optimizer.stats.encoded).toBe(0)
    expect(() => optimizer.assertComplete()).toThrow(
      expect.objectContaining({
        code: 'NOT_CACHED',
        message: naming(
          '4 results',
          '\n  a.png: image as image/webp, resize {"method":"scale","width":32}\n',
          '  a.png: placeholder thumbhash',
          '\n  a.png: widths',
          String.raw`b\x1b[2J.png: image`,
        ),
      }),
    )
    optimizer.assertComplete()
    await optimizer.close()
  })

  it('gives what the folder has', async () => {
    const source = await photo(64, 48).png()
    const open = createOptimizer({ cache: { dir } })
    const made = await open.optimize(source, {})
    const plan = open.plan(source)
    await open.placeholder(plan, 'color')
    await open.close()
    const frozen = createOptimizer({ cache: { dir, mode: 'frozen' } })
    expect(await frozen.optimize(source, {})).toMatchObject({ cached: true, data: made.data })
    expect(await frozen.placeholder(plan, 'color')).toMatchObject({ kind: 'color' })
    frozen.assertComplete()
    await frozen.close()
  })
})
