import { describe, expect, it } from 'vitest'
import { findImportQueries } from '../../src/references/import-queries.ts'

const found = (code: string): string[] => findImportQueries(code).map(({ specifier, query }) => specifier + query)

const TSX = `import type { A } from './a'
import hero, { width } from './hero.jpg?w=640'
export { default as small } from "@/small.PNG?w=64"
import './side.webp?w=1'
// import no from './comment.jpg?w=1'
const lazy = () => import('./lazy.jpg?as=picture'), old = require(\`./old.png?w=2\`)
export function B<T extends A>({ a }: { a: T }): JSX.Element {
  const text = "import no from './string.jpg?w=1'"
  return <p title="it's">import no from './text.jpg?w=1' {import('./inside.avif?w=3')}</p>
}
`

describe('findImportQueries', () => {
  it('finds imports of every form, and none in strings, comments and the text of JSX', () => {
    expect(found(TSX)).toEqual([
      './hero.jpg?w=640',
      '@/small.PNG?w=64',
      './side.webp?w=1',
      './lazy.jpg?as=picture',
      './old.png?w=2',
      './inside.avif?w=3',
    ])
  })

  it.each([
    ["import a from './a.jpg'", 'no query'],
    ["import a from './a.json?w=1'", 'no image'],
    ["x.require('./a.jpg?w=1'); y?.import('./b.jpg?w=1')", 'a member'],
    ['import(`./${a}.jpg?w=1`)', 'a substitution'],
    ["new URL('./a.jpg?w=1', import.meta.url)", 'a URL'],
    ["Array.from('./a.jpg?w=1'); f('./b.jpg?w=1')", 'an argument'],
  ])('leaves %s alone: %s', (code) => {
    expect(found(code)).toEqual([])
  })

  it('gives offsets between the quotes, and text that fits them', () => {
    const code = `import a from "./a.jpg?w=1"`
    const [{ start, end, encode } = expect.fail('nothing was found')] = findImportQueries(code)
    expect(code.slice(start, end)).toBe('./a.jpg?w=1')
    expect(encode('./"b"')).toBe(String.raw`./\"b\"`)
  })
})
