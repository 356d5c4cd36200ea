import { createRequire } from 'node:module'
import type * as SvelteCompiler from 'svelte/compiler'
import { parseSync } from 'rolldown/utils'
import { describe, expect, it } from 'vitest'
import { findCompiledSources, findJsxSources, findSvelteSources } from '../../src/templates/image-sources.ts'
import type { ImageSource } from '../../src/templates/image-sources.ts'
import type { SyntaxNode } from '../../src/templates/syntax.ts'
import { parse } from './parse.ts'

const { parse: parseSvelte } = createRequire(import.meta.url)('svelte/compiler') as typeof SvelteCompiler

/** URLs of images that exist. */
const isWanted = (url: string): boolean => url.startsWith('/img/')

/** The text with `f(…)` around each source. */
function rewritten(code: string, sources: readonly ImageSource[]): string {
  return sources
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, around: [before, after] = ['', ''], quote = '', nameAt = start }) => {
      const name = nameAt === start ? '' : `src=${text.slice(nameAt, start)}`
      const call = `${before}f(${quote}${text.slice(start, end)}${quote})${after}`
      return text.slice(0, nameAt) + name + call + text.slice(end)
    }, code)
}

const compiled = (code: string): string => rewritten(code, findCompiledSources(parse(code), isWanted))

function jsx(code: string): string {
  const { program } = parseSync('a.jsx', code)
  return rewritten(code, findJsxSources(program as unknown as SyntaxNode, isWanted))
}

function svelte(code: string): string {
  const tree = parseSvelte(code, { modern: true }) as unknown as SyntaxNode
  return rewritten(code, findSvelteSources(tree, isWanted))
}

describe('compiled JSX', () => {
  it.each([
    ['React', `_jsx('img', { alt: 'a', src: image.url })`, `_jsx('img', { alt: 'a', src: f(image.url) })`],
    ['React in dev', `jsxDEV("img", { src: url }, void 0, false)`, `jsxDEV("img", { src: f(url) }, void 0, false)`],
    ['classic React', `React.createElement("img", { src: base + name })`, `React.createElement("img", { src: f(base + name) })`],
    ['Preact', 'h(`img`, { src: `/a/${name}.png` })', 'h(`img`, { src: f(`/a/${name}.png`) })'],
    ['MDX', `_jsx(_components.img, { src: "/img/a.png" })`, `_jsx(_components.img, { src: f("/img/a.png") })`],
    ['a key in quotes', `_jsx('img', { "src": url })`, `_jsx('img', { "src": f(url) })`],
    ['a condition', `_jsx('img', { src: on ? a : '/img/b.png' })`, `_jsx('img', { src: f(on ? a : '/img/b.png') })`],
    ['a short property', `_jsx('img', { src, alt })`, `_jsx('img', { src: f(src), alt })`],
    ['the last of several', `_jsx('img', { src: a, src: b })`, `_jsx('img', { src: a, src: f(b) })`],
    ['a URL that is written there', `_jsx('img', { src: '/img/a.png' })`, `_jsx('img', { src: f('/img/a.png') })`],
  ])('of %s has its source found', (_, code, expected) => {
    expect(compiled(code)).toBe(expected)
  }) // prettier-ignore

  it.each([
    `_jsx('img', { src: '/other/a.png' })`,
    `_jsx('img', { src: 'data:image/png;base64,AAAA' })`,
    `_jsx('img', { ...rest })`,
    `_jsx('img', { alt: url })`,
    `_jsx('img', props)`,
    `_jsx('video', { src: url })`,
    `_jsx(img, { src: url })`,
    `_jsx(Image.img, { src: url })`,
    `import image from './a.png'\n_jsx('img', { src: image })`,
    `import { image } from './a.jpg?as=url'\n_jsx('img', { src: image })`,
    `_jsx('img', { src: new URL('./a.png', import.meta.url) })`,
    `_jsx('img', { src: new URL('./a.png', import.meta.url).href })`,
  ])('stays unchanged in %s', (code) => {
    expect(compiled(code)).toBe(code)
  })

  it('has what a module of data gives looked up, and a member of an imported image', () => {
    expect(compiled(`import data from './data.js'\n_jsx('img', { src: data })`)).toContain('src: f(data)')
    expect(compiled(`import image from './a.png?as=picture'\n_jsx('img', { src: image.src })`)).toContain(
      'src: f(image.src)',
    )
  })
})

describe('JSX', () => {
  it.each([
    [`<img src={url} alt="" />`, `<img src={f(url)} alt="" />`],
    [`<p><img {...rest} src={\`/a/\${name}\`} /></p>`, `<p><img {...rest} src={f(\`/a/\${name}\`)} /></p>`],
    [`<img src="/img/a.png" />`, `<img src={f("/img/a.png")} />`],
    [`<img src='/img/a.png' />`, `<img src={f('/img/a.png')} />`],
    [`<img src={"/img/a.png"} />`, `<img src={f("/img/a.png")} />`],
  ])('%s', (code, expected) => {
    expect(jsx(code)).toBe(expected)
  })

  it.each([
    `<img src="/other/a.png" />`,
    `<img src={"/other/a.png"} />`,
    `<img src="/img/a&amp;b.png" />`,
    `<img src="" />`,
    `<img src />`,
    `<img {...rest} />`,
    `<Img src={url} />`,
    `<ui.img src={url} />`,
    `<video src={url} />`,
    `import image from './a.png';\n<img src={image} />`,
  ])('stays unchanged in %s', (code) => {
    expect(jsx(code)).toBe(code)
  })
})

describe('a Svelte component', () => {
  it.each([
    [`<img src={url} alt="">`, `<img src={f(url)} alt="">`],
    [`<img alt="" src="{url}">`, `<img alt="" src="{f(url)}">`],
    [`<img src="/img/a.png">`, `<img src={f("/img/a.png")}>`],
    [`<img src='/img/a.png'>`, `<img src={f('/img/a.png')}>`],
    [`<img src=/img/a.png>`, `<img src={f("/img/a.png")}>`],
    [`<img {src} alt="">`, `<img src={f(src)} alt="">`],
    [`{#each list as { url }}<p><img src={url}></p>{/each}`, `{#each list as { url }}<p><img src={f(url)}></p>{/each}`],
  ])('%s', (code, expected) => {
    expect(svelte(code)).toBe(expected)
  })

  it.each([
    `<img src="/other/a.png">`,
    `<img src="/img/a&amp;b.png">`,
    `<img src="/img/{name}.png">`,
    `<img {...rest}>`,
    `<video src={url}></video>`,
    `<Img src={url} />`,
    `<script>import image from './a.png'</script><img src={image}>`,
    `<script module>import image from './a.png'</script><img src={image}>`,
  ])('stays unchanged in %s', (code) => {
    expect(svelte(code)).toBe(code)
  })
})

/** The tree that Svelte 4 gives for an `<img>` with one value of `src`, which stands at the given text. */
function olderSvelte(code: string, at: string, type: string): string {
  const value = span(code, at, { type })
  const inside = at.replace(/^\{|\}$/g, '')
  const isText = type === 'Text'
  const part = isText
    ? { ...value, raw: at, data: at }
    : { ...value, expression: span(code, inside, { type: 'Identifier', name: inside }) }
  const attribute = span(code, type === 'AttributeShorthand' ? `{${at}}` : /src=\S*[^>\s]/.exec(code)![0], {
    type: 'Attribute',
    name: 'src',
    value: [part],
  })
  const element = span(code, code, { type: 'Element', name: 'img', attributes: [attribute], children: [] })
  const tree = { html: { ...element, type: 'Fragment', children: [element] }, instance: null, module: null }
  return rewritten(code, findSvelteSources(tree as unknown as SyntaxNode, isWanted))
}

const span = (code: string, text: string, rest: object): object => {
  const start = code.indexOf(text)
  return { start, end: start + text.length, ...rest }
}

describe('a component of Svelte 4', () => {
  it.each([
    [`<img src={url} alt="">`, '{url}', 'MustacheTag', `<img src={f(url)} alt="">`],
    [`<img alt="" src="{url}">`, '{url}', 'MustacheTag', `<img alt="" src="{f(url)}">`],
    [`<img src="/img/a.png">`, '/img/a.png', 'Text', `<img src={f("/img/a.png")}>`],
    [`<img {src} alt="">`, 'src', 'AttributeShorthand', `<img src={f(src)} alt="">`],
    [`<img src="/other/a.png">`, '/other/a.png', 'Text', `<img src="/other/a.png">`],
  ])('%s', (code, at, type, expected) => {
    expect(olderSvelte(code, at, type)).toBe(expected)
  })
})
