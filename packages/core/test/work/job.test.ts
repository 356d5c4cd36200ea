import { describe, expect, it } from 'vitest'
import { PixpressError } from '../../src/errors.ts'
import { DEFAULT_LIMITS } from '../../src/limits.ts'
import { resolveOperations } from '../../src/options/operations.ts'
import { decodeFailed, encodeFailed } from '../../src/work/job.ts'
import type { Job } from '../../src/work/job.ts'

const job: Job = {
  source: Uint8Array.of(1),
  type: 'image/webp',
  operations: resolveOperations({}),
  limits: DEFAULT_LIMITS,
  file: 'a.webp',
}

describe('what fails in an encoder', () => {
  it('is ENCODE_FAILED with the file, the first line of the reason and the cause', () => {
    const cause = new Error('webp: partition0 overflow\nmore of libwebp')
    expect(encodeFailed(job, cause)).toMatchObject({
      code: 'ENCODE_FAILED',
      file: 'a.webp',
      message: expect.stringContaining('The image cannot be encoded: webp: partition0 overflow.'),
      cause,
    })
    expect(encodeFailed(job, cause).message).not.toContain('libwebp')
  })

  it('stays what it is where it says what is wrong already', () => {
    const error = new PixpressError('UNSUPPORTED_OPERATION', 'JPEG cannot hold the image without loss.')
    expect(encodeFailed(job, error)).toBe(error)
  })
})

describe('what fails in a decoder', () => {
  it('is DECODE_FAILED with the type and the file', () => {
    expect(decodeFailed(job, new Error('unexpected end'))).toMatchObject({
      code: 'DECODE_FAILED',
      file: 'a.webp',
      message: expect.stringContaining('The image cannot be decoded as image/webp: unexpected end.'),
    })
  })
})
