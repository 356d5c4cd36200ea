import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/visit/script-errors.ts'

describe('messageOf', () => {
  it('takes the first line of an error, without its full stop', () => {
    const description = 'TypeError: It is no function.\n    at http://127.0.0.1:1/a.js:1:1'
    expect(messageOf({ text: 'Uncaught', exception: { description } })).toContain('TypeError')
  })

  it('takes what is thrown that is no error, and else what the browser says', () => {
    expect(messageOf({ text: 'Uncaught', exception: { value: 404 } })).toBe('404')
    expect(messageOf({ text: 'Uncaught SyntaxError: Invalid token' })).toContain('SyntaxError')
  })

  it('shortens a line that is a whole script', () => {
    expect(messageOf({ text: 'x'.repeat(999) })).toHaveLength(201)
  })
})
