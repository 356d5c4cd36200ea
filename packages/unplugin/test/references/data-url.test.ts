import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { MAY_HOLD_PICTURE, isPictureUrl, readPictureUrl, writePictureUrl } from '../../src/references/data-url.ts'

const PNG = Buffer.from(await photo(20, 15, 1).png())
const BASE64 = PNG.toString('base64')
const wrapped = BASE64.replace(/.{76}/g, '$&\n')

describe('readPictureUrl', () => {
  it.each([
    ['a plain one', `data:image/png;base64,${BASE64}`],
    ['one in capitals', `DATA:IMAGE/PNG;BASE64,${BASE64}`],
    ['one with a character set', `data:image/png;charset=utf-8;base64,${BASE64}`],
    ['one with a space before its encoding', `data:image/png; base64,${BASE64}`],
    ['one that says another type than it has', `data:image/jpeg;base64,${BASE64}`],
    ['one with line ends', `data:image/png;base64,${wrapped}`],
    ['one with percent-encoded line ends', `data:image/png;base64,${wrapped.replaceAll('\n', '%0A')}`],
    ['one that is percent-encoded', `data:image/png;base64,${encodeURIComponent(BASE64)}`],
    ['one without padding', `data:image/png;base64,${BASE64.replace(/=+$/, '')}`],
  ])('reads %s', (_, url) => {
    expect(isPictureUrl(url)).toBe(true)
    expect(MAY_HOLD_PICTURE.test(`.a { background: url("${url}") }`)).toBe(true)
    const picture = readPictureUrl(url)!
    expect(Buffer.from(picture.data).equals(PNG)).toBe(true)
    expect(url.startsWith(picture.head)).toBe(true)
    expect(writePictureUrl(picture, PNG)).toBe(picture.head + BASE64)
  })

  it.each([
    ['an SVG', `data:image/svg+xml;base64,${BASE64}`],
    ['text', 'data:image/png,abc'],
    ['another kind of file', `data:font/woff2;base64,${BASE64}`],
    ['broken base64', `data:image/png;base64,${BASE64.slice(0, 40)}*${BASE64.slice(40)}`],
    ['base64 of URLs', 'data:image/png;base64,iVBORw0KGgo-_AAA'],
    ['base64 with a letter too many', `data:image/png;base64,${BASE64.replace(/=+$/, '').slice(0, 45)}`],
    ['bytes that are no image', `data:image/png;base64,${Buffer.from('no image at all').toString('base64')}`],
    ['nothing', 'data:image/png;base64,'],
    ['a fragment behind it', `data:image/png;base64,${BASE64}#part`],
  ])('finds no picture in %s', (_, url) => {
    expect(readPictureUrl(url)).toBeUndefined()
  })
})
