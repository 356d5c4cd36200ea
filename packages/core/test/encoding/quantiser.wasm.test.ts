import { expect, it } from 'vitest'
import { PALETTE_MODULE } from '../../src/encoding/quantiser.wasm.ts'

// The tests of the metric check that the module is compiled from the sources in assembly/: one script makes them all.
it('holds one small module', () => {
  const bytes = Buffer.from(PALETTE_MODULE, 'base64')
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from('\0asm'))
  expect(bytes.length).toBeLessThan(16_000)
})
