import { photo, transparentGraphic } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import { createKeys, makePlan } from '../../src/plan/plan.ts'
import { withinMaxWidth } from '../../src/plan/within-max-width.ts'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'

const PNG = new Uint8Array(await photo(90, 60, 1).png())
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><path d="M0 0h90v60z"/></svg>')
const planned = (source: Uint8Array, operations: object) => makePlan(source, operations, { limits: DEFAULT_LIMITS })

describe('maxWidth', () => {
  it('scales a wider picture down in its proportions', async () => {
    const { info } = await optimize(PNG, { maxWidth: 30 })
    expect([info.width, info.height]).toEqual([30, 20])
  })

  it('leaves a picture that is no wider to the byte as without it', async () => {
    const [plain, bounded] = [await optimize(PNG), await optimize(PNG, { maxWidth: 90 })]
    expect(bounded.info.width).toBe(90)
    expect(Buffer.from(bounded.data).equals(plain.data)).toBe(true)
  })

  it('gives way to a resize', async () => {
    const { info } = await optimize(PNG, { maxWidth: 30, resize: { method: 'scale', width: 60 } })
    expect(info.width).toBe(60)
  })

  it('scales all frames and keeps transparency', async () => {
    const { info } = await optimize(new Uint8Array(await transparentGraphic(80, 40, 2).png()), { maxWidth: 40 })
    expect([info.width, info.height, info.hasAlpha]).toEqual([40, 20, true])
  })

  it('is nothing to vectors, and the same work as the resize that it comes to', () => {
    expect(planned(SVG, { maxWidth: 30 }).key).toBe(planned(SVG, {}).key)
    expect(planned(PNG, { maxWidth: 30 }).key).toBe(planned(PNG, { resize: { method: 'scale', width: 30 } }).key)
    expect(createKeys({ maxWidth: 30 })(PNG)).toBe(planned(PNG, { maxWidth: 30 }).key)
    expect(createKeys({ maxWidth: 30 })(SVG)).toBe(planned(SVG, {}).key)
  })

  it('gives one object for operations that cannot change, and looks at others anew', () => {
    const fixed = Object.freeze({ maxWidth: 30 })
    expect(withinMaxWidth(fixed, 'image/png')).toBe(withinMaxWidth(fixed, 'image/png'))
    const open = { maxWidth: 30 }
    withinMaxWidth(open, 'image/png')
    open.maxWidth = 40
    expect(withinMaxWidth(open, 'image/png')!.resize!.width).toBe(40)
  })

  it.each([0, -5, 1.5, '800'])('refuses %j', (given) => {
    expect(() => resolveOperations({ maxWidth: given as number })).toThrow(/maxWidth/)
  })
})
