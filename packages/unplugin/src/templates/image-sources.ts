import { identifierName, isNode, keyOf, literalText, nodeOf, nodesOf, visitAll } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

/** The value of `src` of an `<img>` in a script or template, as a part of its text that is an expression. */
export interface ImageSource {
  /** UTF-16 offsets. */
  readonly start: number
  readonly end: number
  /** Text around the call, where an attribute has a plain text or a property no key. */
  readonly around?: readonly [before: string, after: string]
  /** The quote of a text that has none. */
  readonly quote?: string
  /** Offset at which the name of the attribute is missing, as in `{src}`. */
  readonly nameAt?: number
}

/** Tells of a URL that is written in a template whether it is to be looked up. */
type IsWanted = (url: string) => boolean

/** Finds those of compiled JSX: `jsx('img', { src })`, `createElement('img', { src })`, `h('img', { src })`. */
export function findCompiledSources(program: SyntaxNode, isWanted: IsWanted): ImageSource[] {
  const imported = namesOfImages(program)
  const found: ImageSource[] = []
  visitAll(program, (node) => {
    const [type, properties] = node.type === 'CallExpression' ? nodesOf(node, 'arguments') : []
    if (type === undefined || properties?.type !== 'ObjectExpression' || !isImg(type)) return
    const own = nodesOf(properties, 'properties').findLast((each) => keyOf(each, 'key') === 'src')
    const rest = own?.['shorthand'] === true ? ({ around: ['src: ', ''] } as const) : undefined
    add(found, nodeOf(own, 'value'), { imported, isWanted }, rest)
  })
  return found
}

/** Markdown's components are members: `_components.img`. */
const isImg = (type: SyntaxNode): boolean =>
  literalText(type) === 'img' ||
  (identifierName(nodeOf(type, 'object')) === '_components' && keyOf(type, 'property') === 'img')

/** Finds those of JSX that is not compiled yet. */
export function findJsxSources(program: SyntaxNode, isWanted: IsWanted): ImageSource[] {
  const imported = namesOfImages(program)
  const found: ImageSource[] = []
  visitAll(program, (node) => {
    if (node.type !== 'JSXOpeningElement' || identifierName(nodeOf(node, 'name')) !== 'img') return
    const own = nodesOf(node, 'attributes').findLast((each) => identifierName(nodeOf(each, 'name')) === 'src')
    const value = nodeOf(own, 'value')
    if (value?.type === 'JSXExpressionContainer') add(found, nodeOf(value, 'expression'), { imported, isWanted })
    else if (isWritten(value, literalText(value) ?? '', isWanted))
      found.push({ start: value!.start, end: value!.end, around: ['{', '}'] })
  })
  return found
}

/** Entities mean another text once they stand in a string. */
const isWritten = (value: SyntaxNode | undefined, text: string, isWanted: IsWanted): boolean =>
  value !== undefined && value.end - value.start === text.length + 2 && !text.includes('&') && isWanted(text)

/** Finds those of a Svelte component, in the syntax tree that its compiler calls modern, or in that of Svelte 4. */
export function findSvelteSources(root: SyntaxNode, isWanted: IsWanted): ImageSource[] {
  const scripts = ['instance', 'module'].flatMap((name) => nodesOf(nodeOf(nodeOf(root, name), 'content'), 'body'))
  const imported = namesOfImages({ type: 'Program', start: 0, end: 0, body: scripts })
  const found: ImageSource[] = []
  visitAll(nodeOf(root, 'fragment') ?? nodeOf(root, 'html') ?? root, (node) => {
    if (!/^(?:Regular)?Element$/.test(node.type) || node['name'] !== 'img') return
    const own = nodesOf(node, 'attributes').find(({ type, name }) => type === 'Attribute' && name === 'src')
    const value: unknown = own?.['value']
    const [only, ...more] = (Array.isArray(value) ? value : [value]) as unknown[]
    if (!isNode(only) || more.length > 0) return
    if (only.type === 'Text' && only['raw'] === only['data'] && isWanted(String(only['data'])))
      found.push(quoted(only, own!))
    else if (/^(?:ExpressionTag|MustacheTag|AttributeShorthand)$/.test(only.type)) {
      const expression = nodeOf(only, 'expression')
      // `{src}` is attribute and expression in one.
      const isShort = expression?.start === own!.start + 1
      add(found, expression, { imported, isWanted }, isShort ? { nameAt: own!.start } : undefined)
    }
  })
  return found
}

/** `src="/hero.png"` and `src=/hero.png` alike, as the quotes are no part of the text's node. */
function quoted(text: SyntaxNode, attribute: SyntaxNode): ImageSource {
  const isQuoted = attribute.end > text.end
  return isQuoted
    ? { start: text.start - 1, end: text.end + 1, around: ['{', '}'] }
    : { start: text.start, end: text.end, around: ['{', '}'], quote: '"' }
}

interface Known {
  readonly imported: ReadonlySet<string>
  readonly isWanted: IsWanted
}

function add(
  found: ImageSource[],
  node: SyntaxNode | undefined,
  { imported, isWanted }: Known,
  rest?: Partial<ImageSource>,
): void {
  const url = node?.type === 'MemberExpression' ? nodeOf(node, 'object') : node
  // URLs of imports and `new URL(…)` are final.
  if (node === undefined || url?.type === 'NewExpression' || imported.has(identifierName(node) ?? '')) return
  const text = literalText(node)
  if (text !== undefined && !isWanted(text)) return
  found.push({ start: node.start, end: node.end, ...rest })
}

/** The names that a module gives to images that it imports. */
function namesOfImages(program: SyntaxNode): ReadonlySet<string> {
  const imports = nodesOf(program, 'body').filter(({ type }) => type === 'ImportDeclaration')
  const ofImages = imports.filter((each) => IMAGE.test(literalText(nodeOf(each, 'source')) ?? ''))
  return new Set(
    ofImages
      .flatMap((each) => nodesOf(each, 'specifiers'))
      .flatMap((each) => identifierName(nodeOf(each, 'local')) ?? []),
  )
}

const IMAGE = /\.(?:avif|bmp|gif|jpe?g|jxl|png|svg|tiff?|webp)(?:[?#]|$)/i
