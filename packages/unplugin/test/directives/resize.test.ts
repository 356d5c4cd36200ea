import { describe, expect, it } from 'vitest'
import type { Combination } from '../../src/directives/combination.ts'
import type { DirectiveSource } from '../../src/directives/rows.ts'
import { checkResize, resolveResize } from '../../src/directives/resize.ts'

const photo: DirectiveSource = { width: 1000, height: 800, type: 'image/jpeg', hasAlpha: false }
const centre = { position: [0.5, 0.5] }

describe('resolveResize', () => {
  it.each([
    [{ w: 300 }, { method: 'scale', width: 300 }],
    [{ h: 300 }, { method: 'scale', height: 300 }],
    [
      { w: 300, method: 'scale' },
      { method: 'scale', width: 300 },
    ],
    [
      { w: 300, h: 200 },
      { method: 'cover', width: 300, height: 200, ...centre },
    ],
    [
      { w: 300, h: 200, fit: 'cover' },
      { method: 'cover', width: 300, height: 200 },
    ],
    [
      { w: 300, h: 200, fit: 'inside' },
      { method: 'fit', width: 300, height: 200 },
    ],
    [
      { w: 300, h: 200, method: 'fit' },
      { method: 'fit', width: 300, height: 200 },
    ],
    [
      { w: 300, h: 200, method: 'cover' },
      { method: 'cover', width: 300, height: 200 },
    ],
    [
      { w: 300, h: 200, method: 'thumb' },
      { method: 'thumb', width: 300, height: 200 },
    ],
    // 300 × 240 covers 300 × 200, and 500 × 400 covers 300 × 400.
    [
      { w: 300, h: 200, fit: 'outside' },
      { method: 'scale', width: 300 },
    ],
    [
      { w: 300, h: 400, fit: 'outside' },
      { method: 'scale', height: 400 },
    ],
  ] as const)('maps %j', (combination, resize) => {
    expect(resolveResize(combination, photo)).toEqual(resize)
  })

  it.each([
    ['a width', { w: 5000 }, null],
    ["the source's own width", { w: 1000 }, null],
    ['a height', { h: 5000 }, null],
    ['a box to stay inside', { w: 5000, h: 900, fit: 'inside' }, null],
    ['one side of a box', { w: 5000, h: 400, fit: 'inside' }, { method: 'fit', width: 1000, height: 400 }],
    ["the source's own size to cover", { w: 1000, h: 800 }, null],
    ['proportions to cover', { w: 5000, h: 4000 }, null],
    ['a wider box to cover', { w: 4000, h: 2000 }, { method: 'cover', width: 1000, height: 500, ...centre }],
    ['a taller box to cover', { w: 800, h: 1600 }, { method: 'cover', width: 400, height: 800, ...centre }],
    ['a sliver to cover', { w: 90000, h: 1 }, { method: 'cover', width: 1000, height: 1, ...centre }],
    ['a size to cover from outside', { w: 5000, h: 100, fit: 'outside' }, null],
  ] as const)('does not scale up to %s', (_, combination, resize) => {
    expect(resolveResize(combination, photo)).toEqual(resize)
  })

  it.each([
    [
      { w: 300, fit: 'cover' },
      { method: 'scale', width: 300 },
    ],
    [
      { w: 300, h: 200, fit: 'contain' },
      { method: 'contain', width: 300, height: 200 },
    ],
    [
      { w: 3000, h: 200, fit: 'contain', position: 'entropy' },
      { method: 'contain', width: 1000, height: 200 },
    ],
    [
      { w: 300, h: 2000, fit: 'fill' },
      { method: 'fill', width: 300, height: 800 },
    ],
    [
      { w: 300, h: 200, position: 'top' },
      { method: 'cover', width: 300, height: 200, position: 'top' },
    ],
    [
      { w: 300, h: 300, method: 'contain', position: [0, 1] },
      { method: 'contain', width: 300, height: 300, position: [0, 1] },
    ],
    [{ aspect: '16:9' }, { method: 'cover', width: 1000, height: 563, ...centre }],
    [{ aspect: 0.5 }, { method: 'cover', width: 400, height: 800, ...centre }],
    [
      { aspect: '2:1', w: 300 },
      { method: 'cover', width: 300, height: 150, ...centre },
    ],
    [
      { aspect: '2:1', h: 100, fit: 'cover' },
      { method: 'cover', width: 200, height: 100 },
    ],
    [
      { aspect: '2:1', w: 30, h: 30 },
      { method: 'cover', width: 30, height: 30, ...centre },
    ],
    [
      { w: 3000, allowUpscale: true },
      { method: 'scale', width: 3000, enlarge: true },
    ],
    [
      { w: 3000, h: 100, allowUpscale: true, fit: 'fill' },
      { method: 'fill', width: 3000, height: 100, enlarge: true },
    ],
    [
      { w: 300, kernel: 'nearest' },
      { method: 'scale', width: 300, kernel: 'nearest' },
    ],
    [{ w: 300, withoutReduction: true }, null],
    [
      { w: 3000, withoutReduction: true, allowUpscale: true },
      { method: 'scale', width: 3000, enlarge: true },
    ],
  ] as const)("maps imagetools' %j", (combination, resize) => {
    expect(resolveResize(combination, photo)).toEqual(resize)
  })

  it('keeps the focus of the source, unless a position says otherwise', () => {
    const source = { ...photo, focus: [0.2, 0.9] } as const
    const position = (more: object): unknown => resolveResize({ w: 300, h: 300, ...more }, source)
    expect(position({})).toMatchObject({ position: [0.2, 0.9] })
    expect(position({ fit: 'cover' })).toMatchObject({ position: [0.2, 0.9] })
    expect(position({ position: 'top' })).toMatchObject({ position: 'top' })
    expect(position({ method: 'thumb' })).toEqual({ method: 'thumb', width: 300, height: 300 })
  })

  it('keeps faces where the source tells of them', () => {
    const combination = { w: 300, h: 300, position: 'face' } as const
    expect(resolveResize(combination, { ...photo, face: [0.7, 0.2] })).toMatchObject({ position: [0.7, 0.2] })
    expect(() => resolveResize(combination, photo)).toThrow(/There is no detector of faces here/)
  })

  it('keeps the centre with fit=cover where imagetools is followed', () => {
    const both = { w: 300, h: 300, fit: 'cover' } as const
    expect(resolveResize(both, photo, { compat: true })).toMatchObject(centre)
    expect(resolveResize({ w: 300, h: 300, method: 'cover' }, photo, { compat: true })).not.toHaveProperty('position')
  })

  it.each<Combination>([
    { w: 300 },
    { h: 200 },
    { aspect: '2:1', w: 300 },
    ...(['cover', 'contain', 'fill', 'inside', 'outside'] as const).map((fit) => ({ w: 300, h: 300, fit })),
  ])("scales by sharp's kernel where imagetools is followed: %j", (asked) => {
    expect(resolveResize(asked, photo, { compat: true })).toMatchObject({ kernel: 'lanczos3' })
    expect(resolveResize({ ...asked, kernel: 'cubic' }, photo, { compat: true })).toMatchObject({ kernel: 'cubic' })
    expect(resolveResize(asked, photo)).not.toHaveProperty('kernel')
  })

  it("scales as pixpress does where its own 'method' says how, whatever is followed", () => {
    for (const method of ['fit', 'cover', 'thumb'] as const)
      expect(resolveResize({ w: 300, h: 200, method }, photo, { compat: true })).not.toHaveProperty('kernel')
  })

  it('pads with the background that is given', () => {
    const both = { w: 300, h: 300, fit: 'contain' } as const
    expect(resolveResize(both, photo, { background: '#ff0000aa' })).toMatchObject({ background: '#ff0000aa' })
  })

  it('keeps the box of a thumb, to which background may be added', () => {
    expect(resolveResize({ w: 4000, h: 4000, method: 'thumb' }, photo)).toEqual({
      method: 'thumb',
      width: 4000,
      height: 4000,
    })
  })

  it.each([
    [{ w: 300 }, { method: 'scale', width: 300 }],
    [
      { w: 300, h: 200, fit: 'inside' },
      { method: 'fit', width: 300, height: 200 },
    ],
    [
      { w: 300, h: 200 },
      { method: 'cover', width: 300, height: 200, ...centre },
    ],
    [
      { w: 300, h: 200, fit: 'outside' },
      { method: 'scale', width: 300 },
    ],
  ] as const)('takes %j as it is where the source has no size', (combination, resize) => {
    expect(resolveResize(combination, { ...photo, width: 0, height: 0 })).toEqual(resize)
  })

  it.each([
    [{ fit: 'cover' }, "'fit=cover' needs a size. Add 'w', 'h' or 'aspect'."],
    [
      { method: 'thumb', w: 300 },
      "'method=thumb' needs both 'w' and 'h', and only 'w' is given. Add what is missing, or write 'aspect'.",
    ],
    [{ method: 'cover' }, "'method=cover' needs both 'w' and 'h'. Add what is missing, or write 'aspect'."],
    [{ method: 'scale' }, "'method=scale' needs 'w' or 'h'. Add one of them."],
  ] as const)('refuses %j, which lacks a size', (combination, message) => {
    expect(() => resolveResize(combination, photo)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message }),
    )
  })
})

describe('checkResize', () => {
  it.each([
    [
      { w: 300, h: 200, fit: 'cover', method: 'cover' },
      "'fit=cover' and 'method=cover' each say how the image is cut. Keep one of them.",
    ],
    [
      { w: 300, h: 200, method: 'scale' },
      "'method=scale' keeps the proportions, so 'w' and 'h' cannot both hold. Keep one of them, or write 'method=fit', 'method=cover' or 'method=thumb'.",
    ],
  ] as const)('refuses %j', (combination, message) => {
    expect(() => checkResize(combination)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
    expect(() => resolveResize(combination, photo)).toThrow(message)
  })

  it('leaves to the query what is only incomplete', () => {
    expect(() => checkResize({ fit: 'cover', w: 300 })).not.toThrow()
    expect(() => checkResize({ method: 'scale' })).not.toThrow()
  })
})
