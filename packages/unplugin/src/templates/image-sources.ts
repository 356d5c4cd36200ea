import { identifierName, isNode, keyOf, literalText, nodeOf, nodesOf, visitAll } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

/** What `src` of an `<img>` is in a script or template: an expression, or a text between quotes. */
export interface ImageSource {
  /** UTF-16 offsets of the expression, quotes of a text included. */
  readonly start: number
  readonly end: number
  /** The URL, where it is a text. */
  readonly text: string | undefined
}

/** Finds those of compiled JSX: `jsx('img', { src })`, `createElement('img', { src })`, `h('img', { src })`. */
export function findCompiledSources(program: SyntaxNode): ImageSource[] {
  const imported = namesOfImages(program)
  const found: ImageSource[] = []
  visitAll(program, (node) => {
    const [type, properties] = node.type === 'CallExpression' ? nodesOf(node, 'arguments') : []
    if (type === undefined || properties?.type !== 'ObjectExpression' || !isImg(type)) return
    const own = nodesOf(properties, 'properties').findLast((each) => keyOf(each, 'key') === 'src')
    // `{ src }` has one node for both.
    if (own?.['shorthand'] !== true) add(found, nodeOf(own, 'value'), imported)
  })
  return found
}

/** Markdown's components are members: `_components.img`. */
const isImg = (type: SyntaxNode): boolean =>
  literalText(type) === 'img' ||
  (identifierName(nodeOf(type, 'object')) === '_components' && keyOf(type, 'property') === 'img')

/** Finds those of JSX that is not compiled yet. */
export function findJsxSources(program: SyntaxNode): ImageSource[] {
  const imported = namesOfImages(program)
  const found: ImageSource[] = []
  visitAll(program, (node) => {
    if (node.type !== 'JSXOpeningElement' || identifierName(nodeOf(node, 'name')) !== 'img') return
    const own = nodesOf(node, 'attributes').findLast((each) => identifierName(nodeOf(each, 'name')) === 'src')
    const value = nodeOf(own, 'value')
    add(found, value?.type === 'JSXExpressionContainer' ? nodeOf(value, 'expression') : value, imported)
  })
  return found
}

/** Finds those of a Svelte component, in the syntax tree that its compiler calls modern. */
export function findSvelteSources(root: SyntaxNode): ImageSource[] {
  const scripts = ['instance', 'module'].flatMap((name) => nodesOf(nodeOf(nodeOf(root, name), 'content'), 'body'))
  const imported = namesOfImages({ type: 'Program', start: 0, end: 0, body: scripts })
  const found: ImageSource[] = []
  visitAll(nodeOf(root, 'fragment') ?? root, (node) => {
    if (node.type !== 'RegularElement' || node['name'] !== 'img') return
    const own = nodesOf(node, 'attributes').find(({ type, name }) => type === 'Attribute' && name === 'src')
    const value: unknown = own?.['value']
    const [only, ...more] = (Array.isArray(value) ? value : [value]) as unknown[]
    if (!isNode(only) || more.length > 0) return
    if (only.type === 'Text') found.push({ start: only.start, end: only.end, text: String(only['data']) })
    // `{src}` is attribute and expression in one.
    else if (only.type === 'ExpressionTag' && own!.start < only.start) add(found, nodeOf(only, 'expression'), imported)
  })
  return found
}

function add(found: ImageSource[], node: SyntaxNode | undefined, imported: ReadonlySet<string>): void {
  // The URL of an import is final.
  if (node === undefined || node.type === 'NewExpression' || imported.has(identifierName(node) ?? '')) return
  found.push({ start: node.start, end: node.end, text: literalText(node) })
}

/** The names that a module gives to images that it imports. */
function namesOfImages(program: SyntaxNode): ReadonlySet<string> {
  const imports = nodesOf(program, 'body').filter(({ type }) => type === 'ImportDeclaration')
  const ofImages = imports.filter((each) => IMAGE.test(literalText(nodeOf(each, 'source')) ?? ''))
  return new Set(
    ofImages.flatMap((each) => nodesOf(each, 'specifiers')).flatMap((each) => identifierName(nodeOf(each, 'local')) ?? []),
  )
}

const IMAGE = /\.(?:avif|bmp|gif|jpe?g|jxl|png|svg|tiff?|webp)(?:[?#]|$)/i
