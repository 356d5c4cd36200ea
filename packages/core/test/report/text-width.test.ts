import { describe, expect, it } from 'vitest'
import { padLeft, padRight, shortenMiddle, shortenPath, textWidth, wrapText } from '../../src/report/text-width.ts'

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['hero.jpg', 8],
    ['a → b', 5],
    ['写真.png', 8],
    ['ｆｕｌｌ', 8],
    ['ｶﾀｶﾅ', 4],
    ['カタカナ', 8],
    ['한글', 4],
    ['한글'.normalize('NFD'), 4],
    ['café'.normalize('NFD'), 4],
    ['🚀', 2],
    ['👩\u200D🚀', 2],
    ['🇫🇷', 2],
    ['❤\uFE0F', 2],
  ])('%j takes %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width)
  })
})

it('fills up to the width and never cuts', () => {
  expect(padRight('写', 4)).toBe('写  ')
  expect(padLeft('写', 4)).toBe('  写')
  expect([padRight('hero', 2), padLeft('hero', 2)]).toEqual(['hero', 'hero'])
})

describe('shortenMiddle', () => {
  it.each([
    ['src/hero.jpg', 12, 'src/hero.jpg'],
    ['src/hero.jpg', 11, 'src/…ro.jpg'],
    ['src/assets/photos/hero.jpg', 16, 'src/as…/hero.jpg'],
    ['写真写真写真.png', 10, '写…真.png'],
    ['abc', 1, '…'],
  ])('%j in %i columns', (text, width, expected) => {
    expect(shortenMiddle(text, width)).toBe(expected)
  })

  it('stays within every width, and cuts no character apart', () => {
    const text = 'a/写真/👩\u200D🚀/é'.normalize('NFD') + '/hero.jpg'
    for (let width = 1; width <= textWidth(text); width++) {
      const short = shortenMiddle(text, width)
      expect(textWidth(short)).toBeLessThanOrEqual(width)
      const [head = '', tail = ''] = short.split('…')
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
      expect(short).not.toMatch(/\p{Cs}|…\p{M}|\u200D…|…\u200D/u)
    }
  })
})

describe('shortenPath', () => {
  it.each([
    ['src/hero.jpg', 12, '', 'src/hero.jpg'],
    ['src/hero.jpg', 11, '', '…/hero.jpg'],
    ['src/assets/photos/hero.jpg', 19, '', '…/photos/hero.jpg'],
    ['src/hero.jpg', 8, '', 'hero.jpg'],
    ['src/mountains.jpg', 10, '', 'mou…ns.jpg'],
    ['src/hero.jpg', 17, ' 640w', 'src/hero.jpg 640w'],
    ['src/hero.jpg', 13, ' 640w', 'hero.jpg 640w'],
    ['src/mountains.jpg', 12, ' 640w', 'mo….jpg 640w'],
    ['src/mountains.jpg', 8, ' 640w', 'mo… 640w'],
  ])('%j in %i columns, followed by %j', (text, width, label, expected) => {
    expect(shortenPath(text, width, label)).toBe(expected)
  })
})

describe('wrapText', () => {
  it('breaks at spaces', () => {
    expect(wrapText('The image data is truncated.', 14)).toEqual(['The image data', 'is truncated.'])
  })

  it('cuts words that are longer than a line, and goes on behind them', () => {
    expect(wrapText('see abcdefghij ok', 4)).toEqual(['see', 'abcd', 'efgh', 'ij', 'ok'])
    expect(wrapText('写真写真', 5)).toEqual(['写真', '写真'])
  })

  it('gives no line for no text', () => {
    expect(wrapText('  ', 10)).toEqual([])
  })
})
