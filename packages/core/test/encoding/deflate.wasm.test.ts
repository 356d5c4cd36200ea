import { expect, it } from 'vitest'
import { DEFLATE_MODULE } from '../../src/encoding/deflate.wasm.ts'

// The tests of the metric check that the module is compiled from the sources in assembly/: one script makes them all.
it('holds one small module', () => {
  const bytes = Buffer.from(DEFLATE_MODULE, 'base64')
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from('\0asm'))
  expect(bytes.length).toBeLessThan(12_000)
})
