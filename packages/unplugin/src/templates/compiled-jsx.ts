import type { MagicString } from 'magic-string'
import { possibleText } from './class-names.ts'
import { OF_CANDIDATES } from './found-image.ts'
import type { FoundImage } from './found-image.ts'
import type { FindImage } from './image-expression.ts'
import { UNKNOWN } from './surroundings.ts'
import type { Surroundings, TemplateElement } from './surroundings.ts'
import { identifierName, isNode, keyOf, nodeOf, nodesOf, literalText, visitAll } from './syntax.ts'
import type { Path, SyntaxNode } from './syntax.ts'

/** Libraries whose elements can be told in compiled code, by what it imports to make them. */
const RUNTIMES: Readonly<Record<string, JsxLibrary>> = {
  react: 'react',
  'react/jsx-runtime': 'react',
  preact: 'preact',
  'preact/jsx-runtime': 'preact',
  'preact/compat': 'preact',
  'preact/compat/jsx-runtime': 'preact',
}

/** A library with elements of the kind of React's. */
export type JsxLibrary = 'react' | 'preact'

/** An `<img>` in compiled JSX. */
export interface CompiledImage extends FoundImage {
  readonly library: JsxLibrary
  /** The name of the element, to be replaced by a component. */
  readonly type: SyntaxNode
  /** The value of `src`, to be replaced by what the component shows. */
  readonly source: SyntaxNode
}

/** Functions of a module that make elements. */
interface Makers {
  readonly library: JsxLibrary
  /** `_jsx`, with children among the properties; `h`, with children as arguments. */
  readonly functions: ReadonlyMap<string, 'jsx' | 'createElement'>
  /** `React` of `React.createElement`. */
  readonly namespaces: ReadonlySet<string>
}

/** Finds the `<img>` elements of a module whose JSX has been compiled, and which show an image of the project. */
export function findCompiledImages(program: SyntaxNode, find: FindImage): CompiledImage[] {
  const makers = findMakers(program)
  if (makers === undefined) return []
  const found: CompiledImage[] = []
  visitAll(program, (node, path) => {
    const [type, properties] = elementParts(node, makers) ?? []
    if (type === undefined || properties?.type !== 'ObjectExpression') return
    const isOfMarkdown = identifierName(nodeOf(type, 'object')) === '_components' && keyOf(type, 'property') === 'img'
    if (literalText(type) !== 'img' && !isOfMarkdown) return
    const own = nodesOf(properties, 'properties')
    if (own.some((each) => OF_CANDIDATES.has(keyOf(each, 'key') ?? ''))) return
    // Preact hands no `ref` to a component.
    if (makers.library === 'preact' && own.some((each) => each.type !== 'Property' || keyOf(each, 'key') === 'ref'))
      return
    const at = own.findLastIndex((each) => keyOf(each, 'key') === 'src')
    const source = nodeOf(own[at], 'value')
    if (source === undefined) return
    // An image of Markdown may be shown by a component of the project's own, which takes a URL.
    const specifier = isOfMarkdown ? undefined : find(source)
    // A text that names no image of the public folder is the URL of something else.
    if (specifier === undefined && literalText(source) !== undefined) return
    const place = surroundingsOf(node, { ...elementOf(type, properties), tagName: 'img' }, path, makers)
    found.push({ specifier, place, library: makers.library, type, source })
  })
  return found
}

/** How an image is shown. */
interface Replacement {
  /** An expression, for an image that is looked up by its URL. */
  readonly isShown: string
  /** The name of what is shown; `undefined` for one that is looked up. */
  readonly binding: string | undefined
}

/**
 * Puts a component in the place of an `<img>`, and what it shows in the place of its URL.
 */
export function replaceCompiled(
  text: MagicString,
  { type, source }: CompiledImage,
  component: string,
  { isShown, binding }: Replacement,
): void {
  const own = text.original.slice(type.start, type.end)
  const isOwn = type.type === 'MemberExpression' ? `${own} === "img" && ${isShown}` : isShown
  text.update(type.start, type.end, binding === undefined ? `${isOwn} ? ${component} : ${own}` : component)
  if (binding !== undefined) text.update(source.start, source.end, binding)
}

function findMakers(program: SyntaxNode): Makers | undefined {
  let library: JsxLibrary | undefined
  const functions = new Map<string, 'jsx' | 'createElement'>()
  const namespaces = new Set<string>()
  for (const statement of nodesOf(program, 'body')) {
    if (statement.type !== 'ImportDeclaration') continue
    const of = RUNTIMES[literalText(nodeOf(statement, 'source')) ?? '']
    if (of === undefined) continue
    library ??= of
    for (const each of nodesOf(statement, 'specifiers')) {
      const local = identifierName(nodeOf(each, 'local'))!
      const imported = keyOf(each, 'imported')
      if (imported === undefined) namespaces.add(local)
      else if (imported === 'jsx' || imported === 'jsxs') functions.set(local, 'jsx')
      else if (imported === 'createElement' || imported === 'h') functions.set(local, 'createElement')
    }
  }
  return library && { library, functions, namespaces }
}

/** The type, the properties and the children of an element that a call makes. */
function elementParts(
  node: SyntaxNode,
  { functions, namespaces }: Makers,
): [type: SyntaxNode | undefined, properties: SyntaxNode | undefined, children: SyntaxNode[]] | undefined {
  if (node.type !== 'CallExpression') return undefined
  const callee = nodeOf(node, 'callee')
  const name = identifierName(callee)
  const isMember =
    callee?.type === 'MemberExpression' &&
    namespaces.has(identifierName(nodeOf(callee, 'object')) ?? '') &&
    keyOf(callee, 'property') === 'createElement'
  const way = isMember ? 'createElement' : name === undefined ? undefined : functions.get(name)
  if (way === undefined) return undefined
  const [type, properties, ...rest] = nodesOf(node, 'arguments')
  if (way === 'createElement') return [type, properties, rest]
  const children = nodesOf(properties, 'properties').find((each) => keyOf(each, 'key') === 'children')
  const value = nodeOf(children, 'value')
  return [type, properties, value?.type === 'ArrayExpression' ? nodesOf(value, 'elements') : value ? [value] : []]
}

const NAMES: Readonly<Record<string, string>> = { className: 'class', class: 'class', htmlFor: 'for' }

function elementOf(type: SyntaxNode, properties: SyntaxNode | undefined): TemplateElement {
  const tagName = literalText(type)?.toLowerCase()
  const attributes: [string, string][] = []
  const isObject = properties?.type === 'ObjectExpression'
  let isOpen = !isObject && properties !== undefined && properties.type !== 'Literal'
  for (const each of isObject ? nodesOf(properties, 'properties') : []) {
    const key = each.type === 'Property' ? keyOf(each, 'key') : undefined
    if (key === undefined) isOpen = true
    else {
      const value = nodeOf(each, 'value')
      const name = NAMES[key] ?? key.toLowerCase()
      const text = name === 'style' ? styleText(value) : possibleText(value)
      if (text === undefined && (name === 'class' || name === 'id')) isOpen = true
      attributes.push([name, text ?? ''])
    }
  }
  return { tagName, attributes, isOpen }
}

/** The declarations of a style object that can be read, as those that inherit matter. */
function styleText(value: SyntaxNode | undefined): string {
  return nodesOf(value, 'properties')
    .map((each) => [keyOf(each, 'key') ?? '', literalText(nodeOf(each, 'value')) ?? ''] as const)
    .map(([key, text]) => `${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${text}`)
    .join(';')
}

/** Follows the calls around an element outwards, as long as it is clear that it becomes a child of each. */
function surroundingsOf(node: SyntaxNode, image: TemplateElement, path: Path, makers: Makers): Surroundings {
  const ancestors: TemplateElement[] = []
  let before: Surroundings['before'] = [UNKNOWN]
  let after: Surroundings['after'] = [UNKNOWN]
  let isRepeated = false
  for (let at = path.length - 1; at >= 0; at--) {
    const outer = path[at]!
    const parts = elementParts(outer, makers)
    if (parts !== undefined) {
      const [type, properties, children] = parts
      const index = children.findIndex((child) => child.start <= node.start && node.end <= child.end)
      if (type === undefined || index === -1) break
      if (literalText(type) === undefined) {
        // The content of a fragment stands where it does; a component may do with it what it likes.
        if (!(identifierName(type) ?? keyOf(type, 'property') ?? '').endsWith('Fragment')) break
        isRepeated = true
      } else {
        if (ancestors.length === 0) {
          const beside = (some: readonly SyntaxNode[]): Surroundings['before'] =>
            some.flatMap((each) => siblingOf(each, makers))
          before = [...(isRepeated ? ([UNKNOWN] as const) : []), ...beside(children.slice(0, index))]
          after = [...beside(children.slice(index + 1)), ...(isRepeated ? ([UNKNOWN] as const) : [])]
        }
        ancestors.push(elementOf(type, properties))
        isRepeated = false
      }
    } else if (isIteration(outer, path[at - 1])) isRepeated = true
    else if (
      !CARRIES_ON.test(outer.type) &&
      !(outer.type === 'CallExpression' && isIteration(path[at + 1] ?? node, outer))
    )
      break
  }
  return { image, ancestors, before, after }
}

/** Nodes that hand the value of a part of them on, to where they stand themselves. */
const CARRIES_ON =
  /^(?:Property|ObjectExpression|ArrayExpression|ConditionalExpression|LogicalExpression|ParenthesizedExpression|ReturnStatement|BlockStatement)$/

/** Tells whether a function gives the elements of a list: `items.map((item) => …)`. */
function isIteration(node: SyntaxNode, outer: SyntaxNode | undefined): boolean {
  if (!/^(?:ArrowFunction|Function)Expression$/.test(node.type) || outer?.type !== 'CallExpression') return false
  return /^(?:map|flatMap)$/.test(keyOf(nodeOf(outer, 'callee') ?? node, 'property') ?? '')
}

function siblingOf(node: SyntaxNode, makers: Makers): (TemplateElement | typeof UNKNOWN)[] {
  if (node.type === 'Literal' || literalText(node) !== undefined) return []
  const [type, properties] = elementParts(node, makers) ?? []
  return isNode(type) && literalText(type) !== undefined ? [elementOf(type, properties)] : [UNKNOWN]
}
