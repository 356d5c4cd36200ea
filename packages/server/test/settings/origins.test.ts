import { describe, expect, it } from 'vitest'
import { resolveSettings } from '../../src/index.ts'

describe('allowed origins', () => {
  it('are none without the setting', () => {
    expect(resolveSettings().allowedOrigins).toEqual([])
  })

  it('are as browsers write them', () => {
    const given = 'https://www.example.com/,http://127.0.0.1:5173'
    expect(resolveSettings({ 'allow-origin': given }).allowedOrigins).toEqual([
      'https://www.example.com',
      'http://127.0.0.1:5173',
    ])
  })

  it.each(['example.com', 'https://example.com/a', 'https://me@example.com', 'ftp://example.com', '*', 'null'])(
    'are not %s',
    (entry) => {
      expect(() => resolveSettings({ 'allow-origin': entry })).toThrow(/'--allow-origin'/)
    },
  )
})
