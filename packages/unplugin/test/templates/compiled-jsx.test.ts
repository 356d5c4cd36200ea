import MagicString from 'magic-string'
import { describe, expect, it } from 'vitest'
import { findCompiledImages, replaceCompiled } from '../../src/templates/compiled-jsx.ts'
import type { CompiledImage } from '../../src/templates/compiled-jsx.ts'
import { createFindImage } from '../../src/templates/image-expression.ts'
import { parse } from './parse.ts'

const HEAD = `import { jsx as _jsx, jsxs as _jsxs, Fragment as _Fragment } from 'react/jsx-runtime'; import hero from './hero.png';`

function find(code: string, head = HEAD): CompiledImage[] {
  const program = parse(`${head}\n${code}`)
  return findCompiledImages(program, createFindImage(program, { isImage: (text) => text.endsWith('.png') }))
}

const tags = (image: CompiledImage | undefined): unknown[] => [
  image?.place.before.map((each) => (typeof each === 'string' ? each : each.tagName)),
  image?.place.ancestors.map(({ tagName }) => tagName),
  image?.place.after.map((each) => (typeof each === 'string' ? each : each.tagName)),
]

describe('an image in compiled JSX', () => {
  it('is found with what the template has around it', () => {
    const [image] = find(
      `_jsxs("div", { className: "card", children: [_jsx("p", {}), "text", _jsx("img", { src: hero, className: on ? "a" : "b", alt: "" }), _jsx(Text, {})] })`,
    )
    expect(image).toMatchObject({ specifier: './hero.png', library: 'react' })
    expect(tags(image)).toEqual([['p'], ['div'], ['unknown']])
    expect(image!.place.image).toMatchObject({ tagName: 'img', isOpen: false })
    expect(image!.place.image.attributes).toContainEqual(['class', 'a b'])
    expect(image!.place.ancestors[0]!.attributes).toContainEqual(['class', 'card'])
  })

  it('has unknown siblings where it is one of a list or in a fragment, and unknown surroundings in a component', () => {
    const list = find(`_jsx("ul", { children: items.map((each) => _jsx("img", { src: hero }, each)) })`)
    expect(tags(list[0])).toEqual([['unknown'], ['ul'], ['unknown']])
    const fragment = find(`_jsx("ul", { children: _jsx(_Fragment, { children: _jsx("img", { src: hero }) }) })`)
    expect(tags(fragment[0])).toEqual([['unknown'], ['ul'], ['unknown']])
    const component = find(`_jsx(Card, { children: _jsx("img", { src: hero }) })`)
    expect(tags(component[0])).toEqual([['unknown'], [], ['unknown']])
    const property = find(`_jsx("div", { children: _jsx(Card, { icon: _jsx("img", { src: hero }) }) })`)
    expect(tags(property[0])).toEqual([['unknown'], [], ['unknown']])
  })

  it('is found in calls of createElement and of Preact', () => {
    const classic = find(
      `React.createElement("p", null, React.createElement("img", { src: hero }), "text")`,
      `import React from 'react'; import hero from './hero.png';`,
    )
    expect(classic[0]).toMatchObject({ library: 'react', specifier: './hero.png' })
    expect(tags(classic[0])).toEqual([[], ['p'], []])
    expect(
      find(`h("img", { src: hero })`, `import { h } from 'preact'; import hero from './hero.png';`)[0],
    ).toMatchObject({ library: 'preact' })
  })

  it('is looked up where its URL comes with data', () => {
    expect(find(`_jsx("img", { src: item.url })`)).toMatchObject([{ specifier: undefined }])
    expect(find(`_jsx(_components.img, { src: hero })`)).toMatchObject([{ specifier: undefined }])
  })

  it('is found where it names a file of the public folder', () => {
    const program = parse(`${HEAD}\n_jsx("img", { src: "/public.png" }); _jsx("img", { src: "/other.png" })`)
    const texts = { isImage: () => false, isPublic: (text: string) => text === '/public.png' }
    expect(findCompiledImages(program, createFindImage(program, texts))).toMatchObject([{ specifier: '/public.png' }])
  })

  it.each([
    `_jsx("img", { src: "/hero.png" })`,
    `_jsx("img", { src: hero, srcSet: two })`,
    `_jsx("img", { src: hero, "data-pixpress": "off" })`,
    `_jsx("img", { alt: "" })`,
    `_jsx("img", properties)`,
    `_jsx("video", { src: hero })`,
    `_jsx(Img, { src: hero })`,
    `other("img", { src: hero })`,
  ])('is not found in %s', (code) => {
    expect(find(code)).toEqual([])
  })

  it('is left alone in Preact where it has a ref, which components do not get', () => {
    const head = `import { h } from 'preact'; import hero from './hero.png';`
    expect(find(`h("img", { src: hero, ref })`, head)).toEqual([])
    expect(find(`h("img", { ...rest, src: hero })`, head)).toEqual([])
  })
})

const replaced = (code: string, binding: string | undefined): string => {
  const text = new MagicString(`${HEAD}\n${code}`)
  for (const image of find(code)) replaceCompiled(text, image, 'Image', { isShown: 'IS', binding })
  return text.toString().slice(HEAD.length + 1)
}

describe('replacing', () => {
  it('puts a component and what it shows in the place of the element and its URL', () => {
    expect(replaced('_jsx("img", { src: hero, alt: "" }, key)', 'shown')).toBe(
      '_jsx(Image, { src: shown, alt: "" }, key)',
    )
  })

  it('keeps the URL of one that is looked up, and the element where its place allows no picture', () => {
    expect(replaced('_jsx("img", { src: item.url })', undefined)).toBe('_jsx(IS ? Image : "img", { src: item.url })')
    expect(replaced('_jsx(_components.img, { src: hero })', undefined)).toBe(
      '_jsx(_components.img === "img" && IS ? Image : _components.img, { src: hero })',
    )
  })
})
