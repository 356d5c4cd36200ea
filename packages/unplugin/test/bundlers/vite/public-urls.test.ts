import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../src/bundlers/vite/public-urls.ts'

describe('names of images in a script', () => {
  it.each([
    [`const a = '/photos/one.png', b = "two.JPG"`, ['/photos/one.png', 'two.JPG']],
    ['const url = `${base}/three.webp`', ['/three.webp']],
    [`export default JSON.parse('{"url":"/my%20photos/four.png"}')`, ['/my photos/four.png']],
    [`export default JSON.parse("{\\"url\\":\\"/five.png\\"}")`, ['/five.png']],
    [`const name = 'my photo.png'`, ['my photo.png']],
  ])('are the ends of its strings: %s', (code, names) => expect(namesIn(code)).toEqual(names))

  it.each([`const css = 'url(/six.png)'`, 'const url = `/photos/${name}.png`', '// seven.png', `'eight.pngs'`])(
    'are none in %s',
    (code) => expect(namesIn(code)).toEqual([]),
  )
})
