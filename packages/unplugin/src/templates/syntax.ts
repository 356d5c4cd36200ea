/** A node of an ESTree, as every parser of JavaScript gives it. Offsets are UTF-16. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** Calls `visit` with each node, in the order of the text. */
export function visitAll(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node)
  for (const child of childrenOf(node)) visitAll(child, visit)
}

function* childrenOf(node: SyntaxNode): Generator<SyntaxNode, void, undefined> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) if (isNode(each)) yield each
    } else if (isNode(value)) yield value
  }
}

/** Tells whether a value is a node. */
export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The node that is a member of another; `undefined` where there is none. */
export function nodeOf(node: SyntaxNode | undefined, member: string): SyntaxNode | undefined {
  const value = node?.[member]
  return isNode(value) ? value : undefined
}

/** The nodes of a list that is a member of another. Holes of arrays are left out. */
export function nodesOf(node: SyntaxNode | undefined, member: string): SyntaxNode[] {
  const value = node?.[member]
  return Array.isArray(value) ? value.filter((each) => isNode(each)) : []
}

/** The name of an identifier; `undefined` for other nodes. */
export const identifierName = (node: SyntaxNode | undefined): string | undefined =>
  node?.type === 'Identifier' || node?.type === 'JSXIdentifier' ? String(node['name']) : undefined

/** The text of a string, or of a template without substitutions; `undefined` for other nodes. */
export function literalText(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined
  const { value } = node
  if ((node.type === 'Literal' || node.type === 'StringLiteral') && typeof value === 'string') return value
  const [only, ...more] = node.type === 'TemplateLiteral' ? nodesOf(node, 'quasis') : []
  if (only === undefined || more.length > 0) return undefined
  const { cooked } = only['value'] as { readonly cooked?: string | null }
  return cooked ?? undefined
}

/** The name of a property or member that is written in the source; `undefined` for a computed one. */
export function keyOf(node: SyntaxNode, member: string): string | undefined {
  const key = nodeOf(node, member)
  if (node['computed'] === true) return literalText(key)
  return identifierName(key) ?? literalText(key)
}
