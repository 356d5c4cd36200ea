import { expect, it } from 'vitest'
import { isInlined } from '../../../src/bundlers/vite/build-asset.ts'
import type { InlineRule } from '../../../src/bundlers/vite/build-asset.ts'
import type { FinishedImage } from '../../../src/session/plan/images.ts'

const source = Buffer.from('<svg/>')
const image = { data: source, planned: { file: '/site/icons.svg', source } } as unknown as FinishedImage

const inlined = (rule: Partial<InlineRule>, lib: false | object = false, assetsInlineLimit = 4096): boolean =>
  isInlined({ build: { lib, assetsInlineLimit } as Parameters<typeof isInlined>[0]['build'] }, image, {
    asked: undefined,
    isEntry: false,
    hash: '',
    ...rule,
  })

it('inlines small images, but none that a fragment or the output needs as a file', () => {
  expect(inlined({})).toBe(true)
  expect(inlined({}, false, 6)).toBe(false)
  expect(inlined({ hash: '#home' })).toBe(false)
  expect(inlined({ isEntry: true })).toBe(false)
})

it('inlines what a query asks for, and everything in a library', () => {
  expect(inlined({ asked: true, hash: '#home' })).toBe(true)
  expect(inlined({ asked: false }, {})).toBe(false)
  expect(inlined({ hash: '#home' }, {})).toBe(true)
})
