import * as internal from 'unplugin-pixpress/internal'
import { describe, expect, it } from 'vitest'
import { findPlaces } from '../../src/advice/places.ts'
import type { AdvicePlugin } from '../../src/advice/plugin.ts'

const plugin: AdvicePlugin = internal

const IMAGES = ['public/a.jpg', 'src/assets/a.jpg', 'src/assets/deep/b c.jpg', 'site/static/d.jpg', 'site/src/e.jpg']

/** `kind image` of every place of a text. */
const placesIn = (file: string, text: string): string[] =>
  findPlaces({ images: IMAGES, texts: new Map([[file, text]]) }, plugin).map(
    ({ target, image }) => `${target.kind} ${image}`,
  )

describe('findPlaces', () => {
  it.each([
    ['index.html', '<img src="src/assets/a.jpg">', ['html src/assets/a.jpg']],
    ['index.html', '<img src="/src/assets/a.jpg">', ['html src/assets/a.jpg']],
    ['index.html', '<img src="/a.jpg">', ['public public/a.jpg']],
    ['src/App.vue', '<template><img src="@/assets/a.jpg"></template>', ['html src/assets/a.jpg']],
    ['src/App.vue', '<template><img src="~@/assets/a.jpg"></template>', ['html src/assets/a.jpg']],
    ['src/a.js', "import b from '@images/deep/b%20c.jpg?w=3'", ['import src/assets/deep/b c.jpg']],
    ['src/css/a.css', 'a { b: url("../assets/deep/b c.jpg") }', ['css src/assets/deep/b c.jpg']],
    [
      'site/index.html',
      '<img src="/d.jpg"><img src="/src/e.jpg">',
      ['public site/static/d.jpg', 'html site/src/e.jpg'],
    ],
    ['views/a.ejs', '<%= x %><img src="/a.jpg">', ['template public/a.jpg']],
  ])('knows what %s means by %s', (file, text, places) => {
    expect(placesIn(file, text)).toEqual(places)
  })

  it.each([
    ['index.html', '<img src="gone/a.jpg">'],
    ['index.html', '<img src="https://example.com/a.jpg">'],
    ['index.html', '<img srcset="src/assets/a.jpg 1x, /a.jpg 2x">'],
    ['src/a.js', "import a from 'a.jpg'"],
  ])('does not guess what %s means by %s', (file, text) => {
    expect(placesIn(file, text)).toEqual([])
  })
})
