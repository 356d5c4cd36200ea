import { identifierName, nodeOf, nodesOf, visitAll } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

/**
 * Finds imports of one name each that nothing refers to once some nodes are replaced: bundlers would load the image all
 * the same.
 */
export function findUnusedImports(
  program: SyntaxNode,
  replaced: readonly SyntaxNode[],
  isImage: (specifier: string) => boolean,
): SyntaxNode[] {
  const candidates = new Map<string, SyntaxNode>()
  for (const statement of nodesOf(program, 'body')) {
    if (statement.type !== 'ImportDeclaration' || !isImage(String(nodeOf(statement, 'source')?.['value']))) continue
    const [only, ...more] = nodesOf(statement, 'specifiers')
    const name = identifierName(nodeOf(only, 'local'))
    if (name !== undefined && more.length === 0) candidates.set(name, statement)
  }
  const gone = new Set(replaced)
  const asked = new Set(replaced.map((node) => identifierName(node)))
  for (const name of candidates.keys()) if (!asked.has(name)) candidates.delete(name)
  visitAll(program, (node, path) => {
    const name = identifierName(node)
    if (name === undefined || gone.has(node) || path.at(-1)?.type.startsWith('Import') === true) return
    candidates.delete(name)
  })
  return [...candidates.values()]
}
