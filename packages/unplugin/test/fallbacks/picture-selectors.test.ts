import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { SPARING, sparePictures, sparedPrelude } from '../../src/fallbacks/picture-selectors.ts'
import { parseSelectors } from '../../src/fallbacks/parse-selectors.ts'
import { mayMatch } from '../../src/fallbacks/selectors.ts'

/** Selectors with `P` for `picture`. */
const before = (text: string): string => text.replaceAll('P', 'picture')
const after = (text: string): string => text.replaceAll('P', `picture${SPARING}`)

describe('sparedPrelude', () => {
  it.each([
    'P',
    'img, P, video',
    '.prose :where(P):not(:where([class~="not-prose"],[class~="not-prose"] *))',
    '.prose :where(P>img):not(:where([class~=not-prose] *))',
    'P > img',
    'P>img',
    'P + P ~ p',
    'P::before',
    'P:hover',
    'P:first-child',
    'P:not(:last-child)',
    'P.wide#x[data-picture="P"]'.replace('="P"', '="picture"'),
    ':not(P)',
    'img:not(P > img, P img)',
    'figure:has(> P, + P)',
    ':is(:where(.a P, P))',
    ':nth-child(2n + 1 of P)',
    ':-webkit-any(P, img)',
    '::slotted(P)',
    ':host-context(P)',
    ':deep(P)',
    '*|P',
    'svg|P',
    '& > P',
    '&P',
    '> P',
    '/* picture */ P/* picture */ > img',
    '.a/**/P',
    '@scope (P) to (P > img, .picture)',
  ])('spares pictures in %s', (text) => {
    expect(sparedPrelude(before(text), true)).toBe(after(text))
  })

  it.each([
    '.picture',
    '#picture',
    'a.picture > img',
    'picture-frame',
    'my-picture',
    'x-picture > img',
    'picture_1',
    'pictures',
    '[picture]',
    '[data-kind=picture]',
    '[alt="a picture > img"]',
    "[alt='picture']",
    String.raw`[alt="\" picture"]`,
    ':picture',
    '::picture',
    ':lang(picture)',
    '::part(picture)',
    ':state(picture)',
    '::highlight(picture)',
    ':not(:lang(picture))',
    'picture|img',
    String.raw`.a\ picture`,
    String.raw`picture\:wide`,
    '.w-1\\/2.picture',
    '/* picture > img */ img',
    '/* picture',
    '@media picture',
    '@layer picture',
    '@container picture (width > 9px)',
    '@supports selector(picture > img)',
    '@keyframes picture',
    '/* x */ @layer picture',
    '--picture: picture ',
    'pictureé',
  ])('leaves %s alone', (text) => {
    expect(sparedPrelude(text, true)).toBe(text)
  })

  it('knows the type in any case', () => {
    expect(sparedPrelude('PICTURE > img', true)).toBe(`PICTURE${SPARING} > img`)
  })

  it.each(['P', '.a P > img, :is(P)', '*|P', '@scope (P)'])('changes nothing more when %s is given twice', (text) => {
    expect(sparedPrelude(after(text), true)).toBe(after(text))
  })

  it.each([`picture.a[b="]"]${SPARING}`, `picture[data-v-1]${SPARING}:hover`])(
    'knows %s again, with what others have put before it',
    (text) => expect(sparedPrelude(text, true)).toBe(text),
  )

  it('takes to :where() only rules that have it already, where browsers would drop others', () => {
    const rule = '.prose :where(picture > img), picture'
    expect(sparedPrelude(rule, false)).toBe(`.prose :where(picture${SPARING} > img), picture${SPARING}`)
    expect(sparedPrelude('picture > img', false)).toBe('picture > img')
    expect(sparedPrelude('@scope (picture)', false)).toBe(`@scope (picture${SPARING})`)
  })

  it.each([
    'picture(',
    'picture)',
    ')picture',
    '[picture',
    '"picture',
    ':where(picture',
    'picture\\',
    'picture|',
    '::',
  ])('does not throw at %j', (text) => expect(() => sparedPrelude(text, true)).not.toThrow())

  it('is done with long selectors in time linear to their length', () => {
    const long = `${'picture.a[b="'.repeat(20_000)}picture`
    expect(sparedPrelude(long, true).startsWith(`picture${SPARING}.a`)).toBe(true)
    expect(sparedPrelude(`picture ${'[['.repeat(50_000)}`, true)).toContain(SPARING)
  })
})

describe('sparePictures', () => {
  it('changes selectors, nested ones too, and nothing else', () => {
    const css = `@charset "utf-8";
@import url(picture.css);
/* picture > img */
@media (width > 9px) { P > img { background: url(picture > img.png); content: "picture > img {" } }
.a { color: red; P { margin: 0; & > P img { x: picture } } }
@layer picture { .picture { transition: picture } }
@keyframes picture { from { x: picture } }
@font-face { font-family: picture; src: url("picture.woff2") }
:root { --picture: picture; --x: { picture > img } }
P{}`
    const css0 = css.replaceAll(/\bP\b/g, 'picture')
    expect(sparePictures(css0, true)).toBe(css.replaceAll(/\bP\b/g, `picture${SPARING}`))
    expect(sparePictures(sparePictures(css0, true), true)).toBe(sparePictures(css0, true))
  })

  it('leaves stylesheets alone that name no picture', () => {
    for (const css of ['', 'a{b:c}', '.picture{}', 'img{}']) expect(sparePictures(css, true)).toBe(css)
  })
})

describe('a selector that spares pictures', () => {
  const PLAIN = '<main><p><img id="x"></p><picture id="own"><img id="y"></picture></main>'
  const LIFTED = PLAIN.replace('<img id="x">', '<picture data-pixpress><source><img id="x"></picture>')

  it.each([
    'picture > img',
    'picture img',
    ':where(picture > img)',
    'img:not(picture > img)',
    'img:not(picture img)',
    ':is(p, main) > :not(picture)',
    'p:has(picture)',
    'p:not(:has(picture))',
    'main:has(picture)',
    'p + picture',
    'picture',
  ])('matches with added pictures what %s matches without', (selector) => {
    const spared = sparedPrelude(selector, true)
    const plain = matches(PLAIN, selector)
    // An image that is no child any more is for the trial to tell.
    expect(matches(LIFTED, spared).filter((name) => name !== 'imgx')).toEqual(plain.filter((name) => name !== 'imgx'))
    if (!selector.includes('> :not')) expect(matches(LIFTED, spared)).toEqual(plain)
    expect(matches(PLAIN, spared)).toEqual(plain)
  })
})

/** Gives what may match, of the elements that both pages have. */
function matches(html: string, selector: string): string[] {
  const open: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)]
  const elements: DefaultTreeAdapterTypes.Element[] = []
  for (const node of open) {
    if ('tagName' in node && node.tagName !== 'source' && !node.attrs.some(({ name }) => name === 'data-pixpress'))
      elements.push(node)
    if ('childNodes' in node) open.push(...node.childNodes)
  }
  const selectors = parseSelectors(selector)
  return elements
    .filter((element) => selectors.some((each) => mayMatch(each, element)))
    .map(({ tagName, attrs }) => tagName + (attrs[0]?.value ?? ''))
    .sort()
}
