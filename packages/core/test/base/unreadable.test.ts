import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { unreadableFormat } from '../../src/base/unreadable.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'

const SOURCES = {
  ICO: Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
  PSD: Buffer.from('8BPS\0\x01', 'latin1'),
  PDF: Buffer.from('%PDF-1.7', 'latin1'),
  'JPEG 2000': Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'),
}

describe('a format that is not read', () => {
  it.each(Object.entries(SOURCES))('%s is named in the error', async (name, source) => {
    await expect(createOptimizer().optimize(source)).rejects.toMatchObject({
      code: 'UNSUPPORTED_TYPE',
      message: naming(name, 'JPEG', 'PNG'),
    })
  })

  it('is not seen in other files', () => {
    for (const text of ['', 'BM', 'BMW and other words', 'hello', 'II']) {
      expect(unreadableFormat(Buffer.from(text))).toBeUndefined()
    }
  })
})
