import MagicString from 'magic-string'
import { compile, parse } from 'svelte/compiler'
import { describe, expect, it } from 'vitest'
import { createFindImage } from '../../src/templates/image-expression.ts'
import { findSvelteImages, wrapSvelte } from '../../src/templates/svelte.ts'
import type { SvelteImage } from '../../src/templates/svelte.ts'
import { nodeOf, nodesOf } from '../../src/templates/syntax.ts'
import type { SyntaxNode } from '../../src/templates/syntax.ts'

const HEAD = `<script>import hero from './hero.png'; let { item, items, on } = $props()</script>\n`

function find(markup: string): SvelteImage[] {
  const root = parse(HEAD + markup, { modern: true }) as unknown as SyntaxNode
  const body = nodesOf(nodeOf(nodeOf(root, 'instance'), 'content'), 'body')
  const program: SyntaxNode = { type: 'Program', start: 0, end: 0, body, template: root['fragment'] }
  const texts = { isImage: (text: string) => text.endsWith('.png'), isPublic: (text: string) => text === '/public.png' }
  return findSvelteImages(root, createFindImage(program, texts))
}

const tags = (image: SvelteImage | undefined): unknown[] => [
  image?.place.before.map((each) => (typeof each === 'string' ? each : each.tagName)),
  image?.place.ancestors.map(({ tagName }) => tagName),
  image?.place.after.map((each) => (typeof each === 'string' ? each : each.tagName)),
]

describe('an image in a Svelte component', () => {
  it('is found with what is around it', () => {
    const [image] = find(
      `<main><div class="card {on ? 'a' : 'b'}"><p>a</p>text <img src={hero} class="c" class:on /><Text /></div></main>`,
    )
    expect(image).toMatchObject({ specifier: './hero.png' })
    expect(tags(image)).toEqual([['p'], ['div', 'main'], ['unknown']])
    expect(image!.place.ancestors[0]!.attributes).toEqual([['class', 'card a b']])
    expect(image!.place.image.attributes).toContainEqual(['class', 'c on'])
  })

  it('has unknown siblings in blocks, and unknown surroundings in components', () => {
    expect(tags(find(`<ul>{#each items as each}<img src={hero} />{/each}</ul>`)[0])).toEqual([
      ['unknown'],
      ['ul'],
      ['unknown'],
    ])
    expect(tags(find(`<p>{#if on}<img src="{hero}" />{/if}</p>`)[0])).toEqual([['unknown'], ['p'], ['unknown']])
    expect(tags(find(`<Card><img src={hero} /></Card>`)[0])).toEqual([['unknown'], [], ['unknown']])
  })

  it('is found where it names a file of the public folder', () => {
    expect(find(`<img src="/public.png" alt="">`)).toMatchObject([{ specifier: '/public.png' }])
  })

  it('is looked up where a block gives its name another meaning', () => {
    expect(find(`{#each items as hero}<img src={hero} />{/each}`)).toMatchObject([{ specifier: undefined }])
    expect(find(`<img src={item.url} />`)).toMatchObject([{ specifier: undefined }])
  })

  it.each([
    `<img src="/hero.png" />`,
    `<img src={hero} srcset={item} />`,
    `<img src={hero} data-pixpress="off" />`,
    `<img src={hero} transition:fade />`,
    `<Card><img slot="icon" src={hero} /></Card>`,
    `<img {...item} />`,
    `<enhanced:img src={hero} />`,
  ])('is not found in %s', (markup) => {
    expect(find(markup)).toEqual([])
  })
})

it.each([
  [
    `<img bind:this={on} src={hero} alt="" />`,
    'shown',
    `<Shown of={shown}><img bind:this={on} src={shown.src} alt="" /></Shown>`,
  ],
  [
    `<img src={item.url} alt="">`,
    { find: 'find', isShown: 'IS' },
    `<Shown of={find(item.url, IS)}><img src={find(item.url, IS).src} alt=""></Shown>`,
  ],
] as const)('%s gets a component around it, which compiles', (markup, shown, expected) => {
  const text = new MagicString(HEAD + markup)
  for (const image of find(markup)) wrapSvelte(text, image, 'Shown', shown)
  expect(text.toString()).toBe(HEAD + expected)
  const imports = `import Shown from './Shown.svelte'; import { find, shown, IS } from './x.js';`
  expect(() => compile(text.toString().replace('<script>', `<script>${imports}`), { runes: true })).not.toThrow()
})
