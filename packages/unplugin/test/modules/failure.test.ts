import { PixpressError } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { errorMessage, withNamedFile, withReference } from '../../src/modules/failure.ts'

describe('errorMessage', () => {
  it.each([
    [undefined, 'Bad.', 'Bad.'],
    ['a.png', 'Bad.', 'a.png: Bad.'],
    ['a.png', 'a.png: Bad.', 'a.png: Bad.'],
  ])('of %s and %s', (file, message, expected) => {
    expect(errorMessage(new PixpressError('INTERNAL', message, { file }))).toBe(expected)
  })
})

describe('withNamedFile', () => {
  it('keeps what the error says besides', () => {
    const cause = new Error('inner')
    const error = new PixpressError('DECODE_FAILED', 'Bad.', { file: 'a.png', cause, status: 418 })
    expect(withNamedFile(error)).toMatchObject({ code: 'DECODE_FAILED', message: 'a.png: Bad.', cause, status: 418 })
  })

  it('gives other errors back as they are', () => {
    const error = new TypeError('a.png')
    expect(withNamedFile(error)).toBe(error)
  })
})

describe('withReference', () => {
  it('names the image and its query once', () => {
    const error = new PixpressError('DECODE_FAILED', 'Bad.')
    const named = withReference(error, 'a.png', '?w=3')
    expect(named).toMatchObject({ code: 'DECODE_FAILED', message: 'a.png?w=3: Bad.', file: 'a.png' })
    expect(withReference(named, 'a.png', '?w=3')).toBe(named)
  })
})
