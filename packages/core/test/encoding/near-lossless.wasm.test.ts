import { expect, it } from 'vitest'
import { NEAR_LOSSLESS_MODULE } from '../../src/encoding/near-lossless.wasm.ts'

// The tests of the metric check that the module is compiled from the sources in assembly/: one script makes them all.
it('holds one small module', () => {
  const bytes = Buffer.from(NEAR_LOSSLESS_MODULE, 'base64')
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from('\0asm'))
  expect(bytes.length).toBeLessThan(4000)
})
