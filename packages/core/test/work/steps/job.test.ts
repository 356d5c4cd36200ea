import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { PixpressError } from '../../../src/base/errors.ts'
import { DEFAULT_LIMITS } from '../../../src/base/limits.ts'
import { resolveOperations } from '../../../src/operations/index.ts'
import { decodeFailed, encodeFailed } from '../../../src/work/steps/job.ts'
import type { Job } from '../../../src/work/steps/job.ts'

const job: Job = {
  source: Uint8Array.of(1),
  type: 'image/webp',
  operations: resolveOperations({}),
  limits: DEFAULT_LIMITS,
  file: 'a.webp',
}

describe('what fails in an encoder', () => {
  it('is ENCODE_FAILED with the file and the cause, in words of ours', () => {
    const cause = new Error('webp: partition0 overflow\nmore of libwebp')
    expect(encodeFailed(job, cause)).toMatchObject({
      code: 'ENCODE_FAILED',
      file: 'a.webp',
      cause,
    })
  })

  it('stays what it is where it says what is wrong already', () => {
    const error = new PixpressError('UNSUPPORTED_OPERATION', 'JPEG cannot hold the image without loss.')
    expect(encodeFailed(job, error)).toBe(error)
  })
})

/** Returns the message for a WebP that has all its bytes. */
const sentenceOf = (text: string): string =>
  decodeFailed({ ...job, source: Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1') }, new Error(text)).message

describe('what fails in a decoder', () => {
  it('is DECODE_FAILED with the type and the file', () => {
    const source = Buffer.from('RIFF\xff\0\0\0WEBPVP8 ', 'latin1')
    expect(decodeFailed({ ...job, source }, new Error('bad'))).toMatchObject({
      code: 'DECODE_FAILED',
      file: 'a.webp',
      message: naming('WebP', 'missing'),
    })
  })

  it('is said in words of ours, without those of the decoder', () => {
    expect(sentenceOf('webp: cannot parse\nVipsWebp: bad')).toEqual(naming('WebP', 'damaged'))
    expect(sentenceOf('Unsupported precision 12')).toEqual(naming('WebP', 'JPEG', 'PNG'))
  })

  it('is no fault of the image where the installation lacks a codec', () => {
    const missing = new Error('Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions:')
    const lacking = new Error('VipsOperation: class "heifload_buffer" not found')
    for (const error of [decodeFailed(job, missing), encodeFailed(job, missing), decodeFailed(job, lacking)]) {
      expect(error).toMatchObject({ code: 'MACHINE_UNFIT', file: undefined })
      expect(error.message).toContain('--os')
    }
  })
})
