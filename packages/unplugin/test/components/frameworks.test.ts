import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createComponent } from 'solid-js'
import { renderToString as renderSolid } from 'solid-js/web'
import { compile } from 'svelte/compiler'
import type { Component } from 'svelte'
import { render as renderSvelte } from 'svelte/server'
import { createSSRApp, h } from 'vue'
import { renderToString as renderVue } from 'vue/server-renderer'
import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toHtml } from '../../src/html.ts'
import type { ImgModule, PictureModule } from '../../src/html.ts'
import { Picture as ReactPicture } from '../../src/react.ts'
import { Picture as SolidPicture } from '../../src/solid.ts'
import { Picture as VuePicture } from '../../src/vue.ts'

const PLACEHOLDER = 'data:image/webp;base64,UklGRg=='

const PICTURE: PictureModule = {
  sources: { avif: '/a.avif 640w, /b.avif 1280w', jpeg: '/a.jpg 640w, /b.jpg 1280w' },
  img: { src: '/b.jpg', w: 1280, h: 720 },
  placeholder: PLACEHOLDER,
  color: '#112233',
  width: 1280,
  height: 720,
}

const IMG: ImgModule = { src: '/b.jpg', w: 1280, h: 720, srcset: '/a.jpg 640w, /b.jpg 1280w' }

interface Given {
  readonly src: PictureModule | ImgModule
  readonly alt: string
  readonly sizes?: string
}

type Render = (given: Given, extra: Readonly<Record<string, string>>) => string | Promise<string>

let scratch: string
let sveltePicture: Component<Given>

/** The component as Svelte's compiler makes it for a server, with the package's sources instead of its build. */
beforeAll(async () => {
  const file = path.resolve(import.meta.dirname, '../../svelte/Picture.svelte')
  const parts = pathToFileURL(path.resolve(import.meta.dirname, '../../src/html.ts')).pathname
  const { js, warnings } = compile(await readFile(file, 'utf8'), { generate: 'server', filename: file })
  expect(warnings.map(({ message }) => message)).toEqual([])
  scratch = await mkdtemp(path.join(import.meta.dirname, '.scratch-'))
  await writeFile(path.join(scratch, 'Picture.js'), js.code.replace('../dist/html.js', parts))
  const module = (await import(path.join(scratch, 'Picture.js'))) as { default: Component<Given> }
  sveltePicture = module.default
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

const RENDERERS: Readonly<Record<string, Render>> = {
  html: ({ src, ...attributes }, extra) => toHtml(src, { ...attributes, ...extra }),
  react: (given, { class: className, fetchpriority: fetchPriority, ...extra }) =>
    renderToString(
      createElement(ReactPicture, {
        ...given,
        ...extra,
        ...(className !== undefined && { className }),
        ...(fetchPriority !== undefined && { fetchPriority: fetchPriority as 'high' }),
      }),
    ),
  vue: (given, extra) => renderVue(createSSRApp(VuePicture, { ...given, ...extra })),
  svelte: (given, extra) => renderSvelte(sveltePicture, { props: { ...given, ...extra } }).body,
  solid: (given, extra) => renderSolid(() => createComponent(SolidPicture, { ...given, ...extra })),
}

/** Elements with their attributes, without what a framework writes for its own use. */
function elementsOf(html: string): { name: string; attributes: Record<string, string> }[] {
  const walk = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Element[] => [
    ...('tagName' in node ? [node] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(walk) : []),
  ]
  return walk(parseFragment(html))
    .filter(({ tagName }) => ['picture', 'source', 'img'].includes(tagName))
    .map(({ tagName, attrs }) => ({
      name: tagName,
      attributes: Object.fromEntries(
        attrs
          .filter(({ name, value }) => !/^(?:data-|on)/.test(name) && !(name === 'style' && value === ''))
          .map(({ name, value }) => [name, value.trim()]),
      ),
    }))
}

const withoutSpaces = (text: string | undefined): string | undefined => text?.replaceAll(/\s|;$/g, '')

it('the component of Svelte compiles for browsers without a warning', async () => {
  const file = path.resolve(import.meta.dirname, '../../svelte/Picture.svelte')
  const { js, warnings } = compile(await readFile(file, 'utf8'), { generate: 'client', filename: file })
  expect(warnings).toEqual([])
  expect(js.code).toContain('watchImage')
})

it('the component of Vue takes scoped styles of its parent on the <img>, where its class is', async () => {
  const parent = { __scopeId: 'data-v-a', render: () => h('p', h(VuePicture, { src: PICTURE, alt: '', class: 'b' })) }
  expect(await renderVue(createSSRApp(parent))).toMatch(/<img data-v-a[^>]* class="b"/)
})

describe.each(Object.keys(RENDERERS))('%s', (name) => {
  const render = RENDERERS[name]!

  it('renders sources, sizes, size, alternative text and the placeholder of a picture', async () => {
    const html = await render({ src: PICTURE, alt: 'A "hill" & sky', sizes: '50vw' }, { class: 'hero', id: 'top' })
    const [picture, avif, jpeg, img, ...others] = elementsOf(html)
    expect(others).toEqual([])
    expect(picture).toEqual({ name: 'picture', attributes: {} })
    expect(avif?.attributes).toEqual({ type: 'image/avif', srcset: PICTURE.sources.avif, sizes: '50vw' })
    expect(jpeg?.attributes).toEqual({ type: 'image/jpeg', srcset: PICTURE.sources.jpeg, sizes: '50vw' })
    const { style, ...attributes } = img!.attributes
    expect(attributes).toEqual({
      src: '/b.jpg',
      width: '1280',
      height: '720',
      alt: 'A "hill" & sky',
      class: 'hero',
      id: 'top',
      loading: 'lazy',
      decoding: 'async',
    })
    // Components show it by script, which a Content-Security-Policy without `unsafe-inline` allows.
    expect(withoutSpaces(style)).toBe(
      name === 'html' ? `background:url(${PLACEHOLDER})center/coverno-repeat` : undefined,
    )
  })

  it('renders no inline style or handler', async () => {
    for (const color of ['#112233', '#11223344']) {
      const html = await render({ src: { ...PICTURE, color }, alt: '' }, name === 'html' ? { nonce: 'abc' } : {})
      expect(html).not.toMatch(/\s(?:style|on\w+)=/)
    }
  })

  it('sets slot on the <picture>, or on an <img> alone', async () => {
    const [picture, lone] = [
      elementsOf(await render({ src: PICTURE, alt: '' }, { slot: 'image' })),
      elementsOf(await render({ src: IMG, alt: '' }, { slot: 'image' })),
    ]
    expect(picture.map(({ attributes }) => attributes['slot'])).toEqual(['image', undefined, undefined, undefined])
    expect(lone.map(({ attributes }) => attributes['slot'])).toEqual(['image'])
  })

  it('renders the sources for media before the others', async () => {
    const media = [
      { media: '(max-width: 600px)', type: 'image/avif', srcset: '/tall.avif', w: 480, h: 600 },
      { media: '(max-width: 600px)', type: 'image/jpeg', srcset: '/tall.jpg', w: 480, h: 600 },
    ]
    const elements = elementsOf(await render({ src: { ...PICTURE, media }, alt: '' }, {}))
    expect(elements.slice(1, 4).map(({ attributes }) => attributes)).toEqual([
      { media: '(max-width: 600px)', type: 'image/avif', srcset: '/tall.avif', width: '480', height: '600' },
      { media: '(max-width: 600px)', type: 'image/jpeg', srcset: '/tall.jpg', width: '480', height: '600' },
      { type: 'image/avif', srcset: PICTURE.sources['avif'] },
    ])
  })

  it('renders sizes="auto" where the image is loaded lazily, on the sources and the <img>', async () => {
    const given = { src: PICTURE, alt: '', sizes: 'auto' }
    const sizes = async (extra: Record<string, string>): Promise<(string | undefined)[]> =>
      elementsOf(await render(given, extra)).map(({ attributes }) => attributes['sizes'])
    expect(await sizes({})).toEqual([undefined, 'auto, 100vw', 'auto, 100vw', 'auto, 100vw'])
    expect(await sizes({ fetchpriority: 'high' })).toEqual([undefined, '100vw', '100vw', undefined])
  })

  it('renders an <img> alone with its srcset, and nothing of a placeholder that is not there', async () => {
    const [img, ...others] = elementsOf(await render({ src: IMG, alt: '', sizes: '100vw' }, { fetchpriority: 'high' }))
    expect(others).toEqual([])
    expect(img?.attributes).toEqual({
      src: '/b.jpg',
      srcset: IMG.srcset,
      sizes: '100vw',
      width: '1280',
      height: '720',
      alt: '',
      decoding: 'async',
      fetchpriority: 'high',
    })
  })
})
