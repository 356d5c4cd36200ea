import { expect, it } from 'vitest'
import { createFindImage } from '../../src/templates/image-expression.ts'
import { nodeOf, nodesOf } from '../../src/templates/syntax.ts'
import { parse } from './parse.ts'

/** Finds what the argument of the module's last statement, a call, is. */
function found(code: string): string | undefined {
  const program = parse(code)
  const find = createFindImage(program, { isImage: (specifier) => /\.(?:png|jpg)(?:\?|$)/.test(specifier) })
  const [argument] = nodesOf(nodeOf(nodesOf(program, 'body').at(-1), 'expression'), 'arguments')
  return find(argument)
}

it.each([
  [`import a from './a.png'; show(a)`, './a.png'],
  [`import { default as a } from '@/a.jpg?w=40'; show(a)`, '@/a.jpg?w=40'],
  [`import a from './a.png'; const b = a; show((b))`, './a.png'],
  [`const a = new URL('./a.png', import.meta.url).href; show(a)`, './a.png'],
  [`show(new URL('./a.png', import.meta.url).toString())`, './a.png'],
  [`show(new URL(\`../a.png\`, import.meta.url))`, '../a.png'],
])('%j shows an image', (code, specifier) => {
  expect(found(code)).toBe(specifier)
})

it.each([
  `import a from './a.js'; show(a)`,
  `import * as a from './a.png'; show(a)`,
  `import { a } from './a.png'; show(a)`,
  `import a from './a.png'; let b = a; show(b)`,
  `import a from './a.png'; function f(a) {} show(a)`,
  `import a from './a.png'; const { x: a1 } = y; items.map(({ image: a }) => a); show(a)`,
  `import a from './a.png'; show(a.src)`,
  `show(new URL('a.png', import.meta.url).href)`,
  `show(new URL('./a.png', document.baseURI).href)`,
  `show(new URL('./a.png', import.meta.url).pathname)`,
  `show('./a.png')`,
])('%j is not sure to show one', (code) => {
  expect(found(code)).toBeUndefined()
})
