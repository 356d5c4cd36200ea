import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { invalidOption } from '../../src/base/errors.ts'
import { unknownKey } from '../../src/options/unknown-key.ts'

describe('messages about options', () => {
  it('are one line whatever was written, and show what cannot be seen', () => {
    expect(invalidOption('w', 'a number', '6\n4').message).toEqual(naming("'w'", "'6\\x0a4'"))
    expect(unknownKey('resize', 'wi\ndth', ['width']).message).toMatch(/^Unknown option 'resize\.wi\\x0adth'\. /)
  })
})
