import { expect, it } from 'vitest'
import { PLAIN_MODULE, SIMD_MODULE } from '../../src/encoding/deflate.wasm.ts'

// The tests of the metric check that the modules are compiled from the sources in assembly/: one script makes them all.
it('holds two small modules', () => {
  for (const module of [SIMD_MODULE, PLAIN_MODULE]) {
    const bytes = Buffer.from(module, 'base64')
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from('\0asm'))
    expect(bytes.length).toBeLessThan(12_000)
  }
})
