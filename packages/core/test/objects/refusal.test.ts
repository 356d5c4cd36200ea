import { describe, expect, it } from 'vitest'
import { errorElement } from '../../src/objects/refusal.ts'

describe('errorElement', () => {
  const xml = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message> It\u001b[31m is gone </Message></Error>'

  it('reads the text of an element, without control characters', () => {
    expect(errorElement(xml, 'Code')).toBe('NoSuchKey')
    expect(errorElement(xml, 'Message')).toBe('It?[31m is gone')
  })

  it('finds none in what is no such XML', () => {
    expect(errorElement('<html>', 'Code')).toBeUndefined()
    expect(errorElement('', 'Message')).toBeUndefined()
  })
})
