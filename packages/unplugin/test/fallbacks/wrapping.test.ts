import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { expect, it } from 'vitest'
import { sparePictures } from '../../src/fallbacks/picture-selectors.ts'
import { createWrapping } from '../../src/fallbacks/wrapping.ts'

function imagesOf(html: string): DefaultTreeAdapterTypes.Element[] {
  const open: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)]
  const found: DefaultTreeAdapterTypes.Element[] = []
  for (const node of open) {
    if ('tagName' in node && node.tagName === 'img') found.push(node)
    if ('childNodes' in node) open.push(...node.childNodes)
  }
  return found
}

it('names the selector that tells the difference', () => {
  const { wrap } = createWrapping(['.a{x:y}', '@media print{b, .card > img{x:y}}'])
  const [image] = imagesOf('<div class="card"><img></div>')
  expect(wrap(image!)).toBe('.card > img')
})

it('leaves the tree as it was where there is a difference, and with the picture where there is none', () => {
  const [image] = imagesOf('<div class="card"><img></div>')
  const parent = image!.parentNode
  createWrapping(['.card > img{x:y}']).wrap(image!)
  expect(image!.parentNode).toBe(parent)
  createWrapping([]).wrap(image!)
  expect(image!.parentNode).toMatchObject({ tagName: 'picture', parentNode: parent })
})

it('sees what one picture changes for another image', () => {
  const { wrap } = createWrapping(['img:first-of-type{x:y}'])
  const [first, second] = imagesOf('<p><img><img></p>')
  expect(wrap(second!)).toBe('img:first-of-type')
  expect(wrap(first!)).toBe('img:first-of-type')
})

it('counts with one source, two and three', () => {
  const [image] = imagesOf('<p><i></i><i></i><img></p>')
  expect(createWrapping(['img:nth-child(3){x:y}']).wrap(image!)).toBe('img:nth-child(3)')
})

it('knows rules within rules', () => {
  const [image] = imagesOf('<p><img></p>')
  expect(createWrapping(['p{@media print{> img{x:y}}}']).wrap(image!)).toBe(':is(p) > img')
})

it('sees rules that leave out what stands elsewhere, as typography plugins write them', () => {
  const rule = '.prose :where(picture>img):not(:where([class~=not-prose],[class~=not-prose] *)){margin:0}'
  const wrapIn = (html: string): string | undefined => createWrapping([rule]).wrap(imagesOf(html)[0]!)
  expect(wrapIn('<div class="prose lg"><p class="a"><img class="b"></p></div>')).toBe(rule.replace(/\{.*/, ''))
  expect(wrapIn('<div class="prose"><p class="a not-prose"><img></p></div>')).toBeUndefined()
  expect(wrapIn('<div class="hero"><img class="b"></div>')).toBeUndefined()
  // The same where it leaves added pictures alone.
  const spared = createWrapping([sparePictures(rule, true)])
  expect(spared.wrap(imagesOf('<div class="prose lg"><p class="a"><img class="b"></p></div>')[0]!)).toBeUndefined()
  // A script may change what the attribute says.
  const { wrap } = createWrapping(['div:not([data-state=open]) > img{x:y}'])
  expect(wrap(imagesOf('<div data-state="open"><img></div>')[0]!)).toBe('div:not([data-state=open]) > img')
})
