import { createRequire } from 'node:module'
import type * as Compiler from 'vue/compiler-sfc'
import { describe, expect, it } from 'vitest'
import { createVueTransform } from '../../src/templates/vue.ts'

// The test runner would take another module for its dependency; Vue's plugin loads it this way, too.
const { compileTemplate } = createRequire(import.meta.url)('vue/compiler-sfc') as typeof Compiler

interface CompileOptions {
  /** Default: `true`. */
  readonly lookUp?: boolean
  /** Compiles for a server. */
  readonly ssr?: boolean
  /** Expressions inside `script setup`, where names are not looked up in a context. */
  readonly inline?: boolean
}

function compile(template: string, { lookUp = true, ssr = false, inline = false }: CompileOptions = {}): string {
  const { code, errors } = compileTemplate({
    source: template,
    filename: 'a.vue',
    id: 'data-v-1',
    ssr,
    ...(ssr && { ssrCssVars: [] }),
    compilerOptions: {
      inline,
      nodeTransforms: lookUp ? [createVueTransform('LOOK_UP') as never] : [],
      bindingMetadata: { hero: 'setup-maybe-ref', items: 'props', on: 'props' } as never,
    },
  })
  expect(errors).toEqual([])
  return code
}

const TEMPLATE = `<p><img class="a" :src="hero" alt="b"><img :src="items[0].url"></p>`

const count = (code: string, text: string): number => code.split(text).length - 1

describe('an image in a Vue template', () => {
  it('has the value of `:src` looked up, and nothing else of it changed', () => {
    const code = compile(TEMPLATE)
    expect(code).toContain(`src: __pixpress_url($setup.hero)`)
    expect(code).toContain(`src: __pixpress_url($props.items[0].url)`)
    expect(count(code, `import __pixpress_url from 'LOOK_UP'`)).toBe(1)
    const without = code.replaceAll(/__pixpress_url\(([^)]*)\)/g, '$1').replace(/import __pixpress_url.*\n\n/, '')
    expect(without).toBe(compile(TEMPLATE, { lookUp: false }))
  })

  it.each(['v-if="on"', 'v-for="each in items" :key="each.id"', 'v-once', 'v-bind="on"'])(
    'has it looked up with %s',
    (directive) => {
      expect(count(compile(`<p><img ${directive} :src="hero"></p>`), '__pixpress_url(')).toBe(1)
    },
  )

  it('has it looked up by the name that a loop gives', () => {
    expect(compile(`<p><img v-for="{ url } in items" :src="url"></p>`)).toContain('src: __pixpress_url(url)')
  })

  it('calls the import itself inside `script setup`', () => {
    expect(compile(`<p><img :src="hero"></p>`, { inline: true })).toMatch(/src: __pixpress_url\(_unref\(hero\)\)/)
  })

  it.each([
    `<img src="/hero.png">`,
    `<img src="./hero.png">`,
    `<img :src="'/hero.png'">`,
    '<img :src="`/hero.png`">',
    `<img :alt="hero">`,
    `<img v-bind="on">`,
    `<Picture :src="hero" />`,
    `<video :src="hero" />`,
  ])('stays unchanged in %s', (template) => {
    expect(compile(`<p>${template}</p>`)).not.toContain('__pixpress')
  })

  it('is looked up once on a server, which transforms what a component holds twice', () => {
    const code = compile(`<div><Card><img :src="hero"></Card><img :src="items[0]"></div>`, { ssr: true })
    expect(code).not.toContain('__pixpress_url(__pixpress_url')
    expect(count(code, '__pixpress_url($setup.hero)')).toBe(2)
    expect(count(code, '__pixpress_url($props.items[0])')).toBe(1)
    expect(count(code, 'import __pixpress_url')).toBe(1)
  })
})
