import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { PLAIN_MODULE, SIMD_MODULE } from '../../../src/quality/metric/ssimulacra2.wasm.ts'

/** Four compilations, on a machine that may be busy, in milliseconds. */
const PATIENCE = 300_000

it(
  'is, as the guards are, what the sources in assembly/ compile to, byte for byte',
  async () => {
    const script = path.join(import.meta.dirname, '../../../scripts/build-metric.mjs')
    await expect(promisify(execFile)(process.execPath, [script, '--check'])).resolves.toEqual({
      stdout: '',
      stderr: '',
    })
  },
  PATIENCE,
)

it('holds two small modules', () => {
  for (const module of [SIMD_MODULE, PLAIN_MODULE]) {
    const bytes = Buffer.from(module, 'base64')
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from('\0asm'))
    expect(bytes.length).toBeLessThan(16_000)
  }
})
