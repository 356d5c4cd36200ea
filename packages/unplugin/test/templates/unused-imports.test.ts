import { expect, it } from 'vitest'
import { identifierName, visitAll } from '../../src/templates/syntax.ts'
import type { SyntaxNode } from '../../src/templates/syntax.ts'
import { findUnusedImports } from '../../src/templates/unused-imports.ts'
import { parse } from './parse.ts'

/** The names that are imported for nothing once the arguments of all calls of `show` are replaced. */
function unused(code: string): string[] {
  const program = parse(code)
  const replaced: SyntaxNode[] = []
  visitAll(program, (node, path) => {
    if (
      identifierName(node) !== undefined &&
      path.at(-1)?.type === 'CallExpression' &&
      identifierName(node) !== 'show'
    ) {
      replaced.push(node)
    }
  })
  return findUnusedImports(program, replaced, (text) => text.endsWith('.png')).map(({ start, end }) =>
    code.slice(start, end),
  )
}

it('finds imports whose only uses are replaced', () => {
  expect(unused(`import a from './a.png'\nshow(a); show(a)`)).toEqual([`import a from './a.png'`])
})

it.each([
  `import a from './a.png'\nshow(a); const b = { a }`,
  `import a from './a.png'\nshow(a); export { a }`,
  `import a, { b } from './a.png'\nshow(a)`,
  `import a from './a.js'\nshow(a)`,
  `import a from './a.png'`,
])('keeps the import of %j', (code) => {
  expect(unused(code)).toEqual([])
})
