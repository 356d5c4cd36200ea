import { createRequire } from 'node:module'
import type * as Compiler from 'vue/compiler-sfc'
import { describe, expect, it } from 'vitest'
import type { FoundImage } from '../../src/templates/found-image.ts'
import { createVueTransform } from '../../src/templates/vue.ts'

// The test runner would take another module for its dependency; Vue's plugin loads it this way, too.
const { compileTemplate } = createRequire(import.meta.url)('vue/compiler-sfc') as typeof Compiler

interface Compiled {
  readonly code: string
  readonly found: readonly FoundImage[]
}

const withoutFile = (context: object): object => ({ ...context, filename: undefined })

interface CompileOptions {
  /** Compiles for a server. */
  readonly ssr?: boolean
  /** Makes of the compiler's state what an older one hands to transforms. */
  readonly olderContext?: (context: object) => object
}

function compile(
  template: string,
  { ssr = false, olderContext = (context) => context }: CompileOptions = {},
): Compiled {
  const found: FoundImage[] = []
  const transform = createVueTransform({
    component: 'SHOWN',
    find: 'FIND',
    isAsset: (text) => /^[.@].*\.png$/.test(text),
    imported: (_, name) => (name === 'hero' ? './hero.png' : undefined),
    note: (_, index, image) => {
      found.push(image)
      return { isShown: `__IS_${index}__`, shown: image.specifier && `${image.specifier}?shown=${index}` }
    },
  })
  const { code, errors } = compileTemplate({
    source: template,
    filename: 'a.vue',
    id: 'data-v-1',
    ssr,
    ...(ssr && { ssrCssVars: [] }),
    compilerOptions: {
      nodeTransforms: [((node: never, context: object) => transform(node, olderContext(context) as never)) as never],
      bindingMetadata: { hero: 'setup-maybe-ref', item: 'props', items: 'props', on: 'props' } as never,
    },
  })
  expect(errors).toEqual([])
  return { code, found }
}

const tags = ({ found: [image] }: Compiled): unknown[] => [
  image?.place.before.map((each) => (typeof each === 'string' ? each : each.tagName)),
  image?.place.ancestors.map(({ tagName }) => tagName),
  image?.place.after.map((each) => (typeof each === 'string' ? each : each.tagName)),
]

describe('an image in a template', () => {
  it('is found with what is around it, and gets a component around it', () => {
    const compiled = compile(
      `<main><div class="card" :class="on"><p>a</p><img class="b" :src="hero" @click="on"><Text /></div></main>`,
    )
    expect(compiled.found).toMatchObject([{ specifier: './hero.png' }])
    expect(tags(compiled)).toEqual([['p'], ['div', 'main'], ['unknown']])
    expect(compiled.found[0]!.place.ancestors.map(({ isOpen }) => isOpen)).toEqual([true, false])
    expect(compiled.code).toContain(`import __pixpress_image from 'SHOWN'`)
    expect(compiled.code).toContain(`import __pixpress_shown_0 from './hero.png?shown=0'`)
    expect(compiled.code).toContain('of: __pixpress_shown_0')
    expect(compiled.code).toMatch(/src: __pixpress_shown_0\.src/)
    expect(compiled.code).not.toContain('_ctx.__pixpress')
  })

  it('is found where the template names its file', () => {
    expect(compile(`<p><img src="./other.png" alt=""></p>`).found).toMatchObject([{ specifier: './other.png' }])
  })

  it('hands on what decides whether it is there', () => {
    const { code } = compile(
      `<ul><li v-if="on">a</li><img v-else :src="hero"><img v-for="each in items" :key="each" :src="hero"></ul>`,
    )
    expect(code).toMatch(/key: 1,\s*of: __pixpress_shown_0/)
    expect(code).toMatch(/key: each,\s*of: __pixpress_shown_1/)
  })

  it('is looked up where its URL comes with data, also where a loop gives a name of an import another meaning', () => {
    const { code, found } = compile(`<ul><img :src="item.url"><img v-for="hero in items" :src="hero"></ul>`)
    expect(found).toMatchObject([{ specifier: undefined }, { specifier: undefined }])
    expect(code).toContain(`import __pixpress_find from 'FIND'`)
    expect(code).toMatch(/__pixpress_find\(\$props\.item\.url, __IS_0__\)\.src/)
    expect(code).toMatch(/__pixpress_find\(hero, __IS_1__\)\.src/)
  })

  it.each([
    `<img :src="hero">`,
    `<template v-if="on"><img :src="hero"></template>`,
    `<p><Transition><img :src="hero"></Transition></p>`,
    `<p><img :src="hero" srcset="a 1x"></p>`,
    `<p><img :src="hero" :srcset="item"></p>`,
    `<p><img :src="hero" data-pixpress="off"></p>`,
    `<p><img v-once :src="hero"></p>`,
    `<p><img src="/public.png"></p>`,
    `<p><img :src="'/public.png'"></p>`,
    `<p><img v-bind="item"></p>`,
  ])('stays as it is in %s', (template) => {
    expect(compile(template).found).toEqual([])
  })

  it('compiles for a server', () => {
    const { code } = compile(`<div><img src="./other.png"><img :src="item.url"></div>`, { ssr: true })
    // Once for each of the two images: what a component holds is transformed twice.
    expect(code.match(/of: __pixpress_/g)).toHaveLength(2)
    expect(code).toMatch(/import __pixpress_shown_0 from '\.\/other\.png\?shown=0'/)
  })

  it('stays as it is with Vue before 3.4, which does not say what file it compiles', () => {
    const { code, found } = compile(`<p><img :src="hero"></p>`, { olderContext: withoutFile })
    expect(found).toEqual([])
    expect(code).not.toContain('__pixpress')
  })
})
