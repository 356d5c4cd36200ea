import { identifierName, nodeOf, nodesOf, literalText } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

/** Functions that put class names together and add none. */
const JOINERS = /^(?:clsx|classnames|classNames|cn|cx|twMerge|twJoin)$/

/**
 * The text that an expression may come to, with all that it may hold; `undefined` where a part of it is not known.
 */
export function possibleText(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return ''
  const text = literalText(node)
  if (text !== undefined) return text
  switch (node.type) {
    case 'Literal':
    case 'NullLiteral':
    case 'BooleanLiteral':
      return ''
    case 'Identifier':
      return identifierName(node) === 'undefined' ? '' : undefined
    case 'ConditionalExpression':
      return all([nodeOf(node, 'consequent'), nodeOf(node, 'alternate')])
    case 'LogicalExpression':
      return node['operator'] === '&&'
        ? possibleText(nodeOf(node, 'right'))
        : all([nodeOf(node, 'left'), nodeOf(node, 'right')])
    case 'ParenthesizedExpression':
      return possibleText(nodeOf(node, 'expression'))
    case 'ArrayExpression':
      return all(nodesOf(node, 'elements'))
    case 'ObjectExpression':
      return namesOf(node)
    case 'CallExpression':
      return JOINERS.test(identifierName(nodeOf(node, 'callee')) ?? '') ? all(nodesOf(node, 'arguments')) : undefined
    default:
      return undefined
  }
}

function all(nodes: readonly (SyntaxNode | undefined)[]): string | undefined {
  const texts = nodes.map((node) => possibleText(node))
  return texts.includes(undefined) ? undefined : texts.join(' ')
}

/** The keys of an object, which are classes where their values are true. */
function namesOf(node: SyntaxNode): string | undefined {
  const names = nodesOf(node, 'properties').map((property) => {
    if (property.type === 'SpreadElement' || property['computed'] === true) return undefined
    const key = nodeOf(property, 'key')
    return identifierName(key) ?? literalText(key)
  })
  return names.includes(undefined) ? undefined : names.join(' ')
}
