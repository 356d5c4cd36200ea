import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readJxl } from '../../src/metadata/jxl.ts'
import { buildExif } from '../../src/metadata/exif-write.ts'
import { fixture } from './fixture.ts'

function box(type: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(content.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

const SIGNATURE = box('JXL ', Buffer.from([13, 10, 0x87, 10]))
const EXIF = Buffer.concat([Buffer.alloc(4), buildExif({ copyrightText: 'Ada' }) ?? Buffer.alloc(0)])

describe('readJxl', () => {
  it('reads compressed boxes', () => {
    const brob = box('brob', Buffer.concat([Buffer.from('Exif'), brotliCompressSync(EXIF)]))
    expect(readJxl(Buffer.concat([SIGNATURE, brob]))).toEqual({ copyright: { text: 'Ada' } })
  })

  it.each([
    ['a bomb', box('brob', Buffer.concat([Buffer.from('xml '), brotliCompressSync(Buffer.alloc(8 << 20))]))],
    ['damaged data', box('brob', Buffer.from('Exif damaged'))],
    ['an offset behind the end', box('Exif', Buffer.concat([Buffer.from([0, 0, 255, 255]), EXIF.subarray(4)]))],
  ])('takes nothing from %s', (_, extra) => {
    expect(readJxl(Buffer.concat([SIGNATURE, extra]))).toEqual({})
  })

  it('finds nothing in a bare codestream', () => {
    const file = fixture('all.jxl')
    const start = Buffer.from(file).indexOf('jxlc') + 4
    expect(readJxl(file.subarray(start))).toEqual({})
  })
})
