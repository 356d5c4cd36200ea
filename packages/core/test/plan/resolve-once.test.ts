import { describe, expect, it } from 'vitest'
import { resolveOperations } from '../../src/operations/index.ts'
import type { Operations } from '../../src/operations/index.ts'
import { resolveOnce } from '../../src/plan/resolve-once.ts'

describe('operations', () => {
  it.each<Operations>([{}, { effort: 'fast' }, { convert: { type: ['image/webp'] } }])(
    'that are frozen to their ends are resolved once, to what they are resolved to otherwise: %j',
    (given) => {
      const { convert } = given
      if (convert !== undefined) Object.freeze(Object.freeze(convert).type)
      const operations = Object.freeze(given)
      const resolved = resolveOnce(operations)
      expect(resolveOnce(operations)).toBe(resolved)
      expect(resolved).toEqual(resolveOperations({ ...operations }))
      expect(Object.isFrozen(resolved)).toBe(true)
    },
  )

  it('that can change are resolved each time', () => {
    const open: Operations = { effort: 'fast' }
    const inside: Operations = Object.freeze({ convert: { type: 'image/webp' as const } })
    expect(resolveOnce(open).effort).toBe('fast')
    open.effort = 'max'
    expect(resolveOnce(open).effort).toBe('max')
    expect(resolveOnce(inside)).not.toBe(resolveOnce(inside))
  })

  it('that are refused are refused each time', () => {
    const refused = Object.freeze({ effort: 'slow' }) as unknown as Operations
    for (const _ of [1, 2]) expect(() => resolveOnce(refused)).toThrow(/effort/)
  })
})
