import { LINEAR, growth } from '@pixpress/testkit'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { findNewUrls } from '../../src/references/new-url.ts'
import { replaceReferences } from '../../src/references/replace.ts'
import { AWKWARD_URLS, mutations } from './random.ts'

const urls = (code: string): string[] => findNewUrls(code).map(({ url }) => url)

const TSX = `import type { A } from './a'
const one = new URL('./one.png', import.meta.url).href, r = /new URL\\('.\\/skipped.png', import.meta.url\\)/
// new URL('./skipped.png', import.meta.url)
export function B<T extends A>({ a }: { a: T }): JSX.Element {
  const s = "new URL('./skipped.png', import.meta.url)" as string
  return <>
    <p title="it's">Don't \` { new URL("./two.png", import.meta.url).href } new URL('./skipped.png', import.meta.url)</p>
    <img src={new URL(\`./three.png\`, import.meta.url).href} alt='new URL("./skipped.png", import.meta.url)' />
  </>
}
const t = \`new URL('./skipped.png', import.meta.url) \${new URL('./four.png', import.meta.url)}\`
/* 😀 new URL('./skipped.png', import.meta.url) */ export const five = new URL('./five.png?a#b', import.meta.url)
`
const TSX_URLS = ['./one.png', './two.png', './three.png', './four.png', './five.png?a#b']

describe('findNewUrls', () => {
  it.each<[string, string[]]>([
    [`new URL('./a.png', import.meta.url)`, ['./a.png']],
    [`new URL("a.png",import.meta.url).href`, ['a.png']],
    ['new URL(`./a.png`, import.meta.url)', ['./a.png']],
    [`new\tURL (\r\n  './a.png' ,\n  import.meta.url ,\n)`, ['./a.png']],
    [`new URL(/* a */ './a.png', // b\n import.meta.url)`, ['./a.png']],
    [`new URL('./\\x61 \\u{62}\\'.png', import.meta.url)`, ["./a b'.png"]],
    [`f(new URL('a.png', import.meta.url), new URL('b.png', import.meta.url))`, ['a.png', 'b.png']],
    [`new new URL('a.png', import.meta.url)`, ['a.png']],
    [`a < b; new URL('a.png', import.meta.url)`, ['a.png']],
    [`const f = <T>(x: T) => x; new URL('a.png', import.meta.url)`, ['a.png']],
    [`const f = <T,>(x: T): T => x; const a = <any>x; new URL('a.png', import.meta.url)`, ['a.png']],
    [
      `let m: Map<string, Array<number>> = new Map<string, Array<number>>(); new URL('a.png', import.meta.url)`,
      ['a.png'],
    ],
    [`x = a / b / c; y = "/"; new URL('a.png', import.meta.url)`, ['a.png']],
    [`#!/usr/bin/env node\nnew URL('a.png', import.meta.url)`, ['a.png']],
    [`new URL('\${a}.png', import.meta.url)`, ['${a}.png']],
    // Not what is looked for.
    ['new URL(`./${a}.png`, import.meta.url)', []],
    [`new URL('./a.png', import.meta.url, 1)`, []],
    [`new URL('./a.png', import.meta.url,,)`, []],
    [`new URL('./a' + '.png', import.meta.url)`, []],
    [`new URL(a, import.meta.url); new URL('a.png', import.meta.urls); new URL('a.png', import.meta.url.href)`, []],
    [`URL('a.png', import.meta.url); a.new URL('a.png', import.meta.url); new Url('a.png', import.meta.url)`, []],
    [
      `new URL('https://h/a.png', import.meta.url); new URL('//h/a', import.meta.url); new URL('', import.meta.url); new URL('data:,', import.meta.url)`,
      [],
    ],
    [`new URL('\\01.png', import.meta.url)`, []],
    [
      `'new URL("a.png", import.meta.url)'; \`new URL('a.png', import.meta.url)\`; // new URL('a.png', import.meta.url)`,
      [],
    ],
    [`new URL('./a.png', location.href); 'import.meta.url'`, []],
    [`new URL('a.png`, []],
    [`new URL('a.png\n, import.meta.url)`, []],
    [`new URL('a.png, import.meta.url)`, []],
    ['', []],
    // Kept from bundlers.
    [`new URL(/* @vite-ignore */ 'a.png', import.meta.url); new URL('b.png', import.meta.url)`, ['b.png']],
    [`new URL('a.png', /* @vite-ignore */ import.meta.url)`, []],
    [
      `new URL(/* webpackIgnore: true */ 'a.png', import.meta.url); new URL(/* webpackIgnore: false */ 'b.png', import.meta.url)`,
      ['b.png'],
    ],
    [`/* @vite-ignore */ new URL('a.png', import.meta.url)`, ['a.png']],
  ])('finds in %j', (code, expected) => {
    expect(urls(code)).toEqual(expected)
    expect(replaceReferences(code, findNewUrls(code), ({ url }) => url)).toBe(code)
  })

  it.each([TSX, TSX.replaceAll('\n', '\r\n'), `\uFEFF${TSX}`])('gives offsets in TSX (%#)', (code) => {
    const found = findNewUrls(code)
    expect(found.map(({ url }) => url)).toEqual(TSX_URLS)
    for (const { start, end, expressionStart, expressionEnd, url } of found) {
      expect(code.slice(start, end)).toBe(url)
      expect(code.slice(expressionStart, expressionEnd)).toMatch(/^new URL\(.*, import\.meta\.url\)$/)
      expect(code.slice(expressionStart, expressionEnd)).toContain(url)
    }
  })
  it('finds nothing more and nothing less in code that was compiled', () => {
    for (const options of [{ minify: true }, { minifyWhitespace: true }, {}]) {
      const { code } = transformSync(TSX, {
        loader: 'tsx',
        jsx: 'automatic',
        format: 'esm',
        target: 'esnext',
        ...options,
      })
      expect(urls(code).toSorted()).toEqual([...TSX_URLS].sort())
    }
  })
  it.each([...AWKWARD_URLS, '${a}.png'])('writes %j so that it is found again', (url) => {
    for (const quote of ['"', "'", '`']) {
      const code = `f(new URL(${quote}a.png${quote}, import.meta.url))`
      expect(urls(replaceReferences(code, findNewUrls(code), () => url))).toEqual([url])
    }
  })

  it.each([
    `new URL('a.png',import.meta.url);`,
    'new URL(',
    'new ',
    '`',
    '`${',
    '"',
    '<a>',
    '<',
    '/',
    '(/',
    '/*',
    '{',
    '</',
  ])('takes any length of %j in linear time', (unit) => {
    const make = (times: number): string =>
      `new URL('first.png', import.meta.url);${unit.repeat((20_000 / unit.length) * times)}`
    expect(growth(make, (code) => expect(findNewUrls(code)[0]!.url).toBe('first.png'))).toBeLessThan(LINEAR)
  })
  it('takes literals of megabytes', () => {
    const code = `const a = "${'A'.repeat(12_000_000)}", b = \`${'B'.repeat(1_000_000)}\`; new URL('a.png', import.meta.url)`
    expect(urls(code)).toEqual(['a.png'])
  })
  it('gives up on a literal that the regular expression engine cannot take', () => {
    expect(urls(`const a = "${'\\n'.repeat(20_000_000)}"; new URL('a.png', import.meta.url)`)).toEqual([])
  })
  it('never throws and always gives offsets in order that can be replaced', () => {
    let count = 0
    for (const code of mutations(TSX, 2000, 3)) {
      const found = findNewUrls(code)
      expect(replaceReferences(code, found, ({ url }) => url)).toBe(code)
      let previousEnd = 0
      for (const { expressionStart, start, end, expressionEnd } of found) {
        if (!(previousEnd <= expressionStart && expressionStart < start && start < end && end < expressionEnd)) {
          throw new Error(`Offsets out of order in ${JSON.stringify(code)}`)
        }
        previousEnd = expressionEnd
      }
      count += found.length
    }
    expect(count).toBeGreaterThan(3000)
  })
})
