import { describe, expect, it } from 'vitest'
import { COMPRESS_FLAGS } from '../../src/compress/flags.ts'
import { COMPRESS_HELP, FLAG_GROUPS } from '../../src/compress/help.ts'

describe('the help of compress', () => {
  it('has every flag once, in a group of at most a dozen beside the adjustments, and examples', () => {
    const grouped = Object.values(FLAG_GROUPS).flat()
    expect(grouped.toSorted()).toEqual(Object.keys(COMPRESS_FLAGS).toSorted())
    const { Look: _, ...written } = FLAG_GROUPS
    for (const names of Object.values(written)) expect(names.length).toBeLessThanOrEqual(12)
    for (const title of ['Examples', ...Object.keys(FLAG_GROUPS)]) expect(COMPRESS_HELP).toContain(`\n${title}:\n`)
  })
})
