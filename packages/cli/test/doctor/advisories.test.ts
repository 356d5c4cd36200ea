import { describe, expect, it } from 'vitest'
import { verdictOf } from '../../src/doctor/advisories.ts'

describe('verdictOf', () => {
  it('names the library, the advisory and the version that mends it', () => {
    const library = { library: 'libwebp', key: 'webp', fixed: '1.3.2', published: '2023-09-12', ids: ['CVE-2023-4863'] }
    const known = [{ ...library, installed: '1.3.1' }]
    expect(verdictOf({ versions: { libwebp: '1.3.1' }, known })).toEqual({
      state: 'warning',
      says: 'vulnerable: libwebp 1.3.1 (CVE-2023-4863; mended in 1.3.2)',
      mend: expect.stringContaining('npm update sharp svgo'),
    })
  })

  it('says which versions it has looked up, and how old the table is', () => {
    expect(verdictOf({ versions: { libvips: '9.0.0', svgo: '5.0.0' }, known: [] })).toEqual({
      state: 'ok',
      says: expect.stringMatching(/libvips 9\.0\.0, svgo 5\.0\.0 on 20\d\d-\d\d-\d\d$/),
    })
  })
})
