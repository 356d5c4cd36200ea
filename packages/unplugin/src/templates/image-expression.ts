import { identifierName, keyOf, nodeOf, nodesOf, literalText, visitAll } from './syntax.ts'
import type { Path, SyntaxNode } from './syntax.ts'

/** Gives the specifier of the image whose URL an expression of a module is; `undefined` where that is not sure. */
export type FindImage = (expression: SyntaxNode | undefined) => string | undefined

/** Tells images by the text of a module. */
export interface ImageTexts {
  /** Tells whether a specifier is one of an image. */
  isImage(specifier: string): boolean
  /** Tells whether a text is the URL of an image of the public folder, which is its specifier. Default: none is */
  isPublic?(text: string): boolean
  /**
   * Gives the specifier of the image behind the first argument of a `new URL(…)` whose text was replaced before.
   * Default: none was
   */
  replaced?(argument: SyntaxNode): string | undefined
}

/**
 * Reads what a module imports and names: an image may be the binding of an import (`hero`), `new URL('./a.png',
 * import.meta.url).href`, or a constant that is one of the two.
 */
export function createFindImage(program: SyntaxNode, texts: ImageTexts): FindImage {
  const { isImage } = texts
  const imported = new Map<string, string>()
  const constants = new Map<string, SyntaxNode>()
  const declared = new Map<string, number>()
  for (const statement of nodesOf(program, 'body')) {
    const source = literalText(nodeOf(statement, 'source'))
    if (statement.type === 'ImportDeclaration' && source !== undefined && isImage(source)) {
      for (const each of nodesOf(statement, 'specifiers')) {
        const isDefault = each.type === 'ImportDefaultSpecifier' || keyOf(each, 'imported') === 'default'
        if (isDefault) imported.set(identifierName(nodeOf(each, 'local'))!, source)
      }
    }
    const declaration = statement.type === 'ExportNamedDeclaration' ? nodeOf(statement, 'declaration') : statement
    if (declaration?.type !== 'VariableDeclaration' || declaration['kind'] === 'let') continue
    for (const each of nodesOf(declaration, 'declarations')) {
      const [name, value] = [identifierName(nodeOf(each, 'id')), nodeOf(each, 'init')]
      if (name !== undefined && value !== undefined) constants.set(name, value)
    }
  }
  // A name that is given twice in the module may stand for something else in some function.
  visitAll(program, (node, path) => {
    const name = identifierName(node)
    if (name !== undefined && isBinding(node, path)) declared.set(name, (declared.get(name) ?? 0) + 1)
  })
  const isUnique = (name: string): boolean => (declared.get(name) ?? 0) <= 1

  function find(expression: SyntaxNode | undefined, depth: number): string | undefined {
    if (expression === undefined || depth > 4) return undefined
    const text = literalText(expression)
    if (text !== undefined) return texts.isPublic?.(text) === true ? text : undefined
    const name = identifierName(expression)
    if (name !== undefined) {
      if (!isUnique(name)) return undefined
      return imported.get(name) ?? find(constants.get(name), depth + 1)
    }
    if (expression.type === 'ParenthesizedExpression') return find(nodeOf(expression, 'expression'), depth)
    return newUrlOf(expression, texts)
  }
  return (expression) => find(expression, 0)
}

/** The specifier of `new URL('…', import.meta.url)`, with `.href`, `.toString()` or as it is. */
function newUrlOf(expression: SyntaxNode, { isImage, replaced }: ImageTexts): string | undefined {
  let node: SyntaxNode | undefined = expression
  if (node.type === 'CallExpression') {
    node = nodeOf(node, 'callee')
    if (node === undefined || keyOf(node, 'property') !== 'toString') return undefined
  } else if (node.type === 'MemberExpression' && keyOf(node, 'property') !== 'href') return undefined
  if (node.type === 'MemberExpression') node = nodeOf(node, 'object')
  if (node?.type !== 'NewExpression' || identifierName(nodeOf(node, 'callee')) !== 'URL') return undefined
  const [url, base] = nodesOf(node, 'arguments')
  const known = url && replaced?.(url)
  if (known !== undefined) return known
  const isOwn =
    base?.type === 'MemberExpression' &&
    keyOf(base, 'property') === 'url' &&
    nodeOf(base, 'object')?.type === 'MetaProperty'
  const text = literalText(url)
  // Text that begins otherwise is looked for beside the module too, and is a package's name in an import.
  return isOwn && text !== undefined && !/^[\w@~#]/.test(text) && isImage(text) ? text : undefined
}

const PATTERNS = /^(?:ArrayPattern|RestElement|AssignmentPattern)$/

/** Tells whether an identifier names something new: a variable, a parameter, a function, an import. */
function isBinding(node: SyntaxNode, path: Path): boolean {
  const parent = path.at(-1)
  if (parent === undefined) return false
  if (/^Import\w*Specifier$/.test(parent.type)) return nodeOf(parent, 'local') === node
  if (parent.type === 'CatchClause') return nodeOf(parent, 'param') === node
  // Svelte's blocks name what they hold.
  if (parent.type.endsWith('Block') && ['context', 'value', 'error'].some((name) => nodeOf(parent, name) === node))
    return true
  if (nodesOf(parent, 'parameters').includes(node)) return true
  if (parent.type === 'Property') return path.at(-2)?.type === 'ObjectPattern' && nodeOf(parent, 'value') === node
  if (PATTERNS.test(parent.type)) return nodeOf(parent, 'right') !== node
  // Variables, functions and classes; a class has no parameters, a variable neither.
  return nodeOf(parent, 'id') === node || nodesOf(parent, 'params').includes(node)
}
