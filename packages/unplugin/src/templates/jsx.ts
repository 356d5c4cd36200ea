import type { MagicString } from 'magic-string'
import { possibleText } from './class-names.ts'
import { OF_CANDIDATES } from './found-image.ts'
import type { FoundImage } from './found-image.ts'
import type { FindImage } from './image-expression.ts'
import { UNKNOWN, UNKNOWN_BESIDE, besideOf } from './surroundings.ts'
import type { Surroundings, TemplateElement } from './surroundings.ts'
import { identifierName, indexWith, nodeOf, nodesOf, literalText, visitAll } from './syntax.ts'
import type { Path, SyntaxNode } from './syntax.ts'

/** An `<img>` in JSX that is not compiled yet. */
export interface JsxImage extends FoundImage {
  /** The element's name, in both tags where it has two, to be replaced by a component. */
  readonly names: readonly SyntaxNode[]
  /** The value of `src`, braces included. */
  readonly value: SyntaxNode
  /** The expression in it. */
  readonly source: SyntaxNode
}

/** Finds the `<img>` elements of JSX that show an image of the project, for compilers that leave no calls behind. */
export function findJsxImages(program: SyntaxNode, find: FindImage): JsxImage[] {
  const found: JsxImage[] = []
  visitAll(program, (node, path) => {
    if (node.type !== 'JSXElement' || tagOf(node) !== 'img') return
    const attributes = attributesOf(node)
    // `use:`, `on:` and their kin are of elements alone.
    if (attributes.some((each) => nodeOf(each, 'name')?.type === 'JSXNamespacedName')) return
    if (attributes.some((each) => OF_CANDIDATES.has(nameOf(each) ?? ''))) return
    const value = nodeOf(
      attributes.findLast((each) => nameOf(each) === 'src'),
      'value',
    )
    const source = value && expressionIn(value)
    if (value === undefined || source === undefined) return
    const specifier = find(source)
    // A text that names no image of the public folder is the URL of something else.
    if (specifier === undefined && literalText(source) !== undefined) return
    const names = ['openingElement', 'closingElement'].flatMap((tag) => nodeOf(nodeOf(node, tag), 'name') ?? [])
    found.push({ specifier, place: surroundingsOf(node, path), names, value, source })
  })
  return found
}

/** Puts a component in the place of an `<img>`, and what it shows in the place of its URL. */
export function replaceJsx(
  text: MagicString,
  { names, value, source }: JsxImage,
  component: string,
  shown: Shown,
): void {
  for (const { start, end } of names) text.update(start, end, component)
  if (typeof shown === 'string') text.update(value.start, value.end, `{${shown}}`)
  else {
    text.appendLeft(source.start, `${shown.find}(`)
    text.appendRight(source.end, `, ${shown.isShown})`)
  }
}

/** The name of what is shown, or how it is looked up by the URL that stands there. */
export type Shown = string | { readonly find: string; readonly isShown: string }

const attributesOf = (element: SyntaxNode): SyntaxNode[] => nodesOf(nodeOf(element, 'openingElement'), 'attributes')
const nameOf = (attribute: SyntaxNode): string | undefined => identifierName(nodeOf(attribute, 'name'))

/** The name of an element in lower case; `undefined` for a component. */
function tagOf(element: SyntaxNode): string | undefined {
  const name = identifierName(nodeOf(nodeOf(element, 'openingElement'), 'name'))
  return name !== undefined && /^[a-z]/.test(name) ? name.toLowerCase() : undefined
}

const expressionIn = (value: SyntaxNode): SyntaxNode | undefined =>
  value.type === 'JSXExpressionContainer' ? nodeOf(value, 'expression') : value

function elementOf(element: SyntaxNode): TemplateElement {
  const attributes: [string, string][] = []
  let isOpen = false
  for (const each of attributesOf(element)) {
    const name = each.type === 'JSXAttribute' ? nameOf(each) : undefined
    if (name === undefined) {
      isOpen ||= each.type !== 'JSXAttribute'
      continue
    }
    const key = name === 'className' ? 'class' : name.toLowerCase()
    const value = nodeOf(each, 'value')
    const text = value === undefined ? '' : possibleText(expressionIn(value))
    if (name === 'classList' || ((key === 'class' || key === 'id') && text === undefined)) isOpen = true
    attributes.push([key, text ?? ''])
  }
  return { tagName: tagOf(element), attributes, isOpen }
}

/** Nodes that hand the value of a part of them on, to where they stand themselves. */
const CARRIES_ON = /^(?:JSXExpressionContainer|ConditionalExpression|LogicalExpression|ParenthesizedExpression)$/

/** Components of Solid that give what they hold, some of it or several times. */
const FLOW = /^(?:For|Index|Show|Switch|Match|Suspense|ErrorBoundary)$/

function surroundingsOf(node: SyntaxNode, path: Path): Surroundings {
  const ancestors: TemplateElement[] = []
  let beside = UNKNOWN_BESIDE
  let isLoose = false
  for (let at = path.length - 1; at >= 0; at--) {
    const outer = path[at]!
    if (outer.type === 'JSXElement') {
      const isFlow = FLOW.test(identifierName(nodeOf(nodeOf(outer, 'openingElement'), 'name')) ?? '')
      if (isFlow) {
        isLoose = true
        continue
      }
      if (tagOf(outer) === undefined) break
      if (ancestors.length === 0) {
        const children = nodesOf(outer, 'children')
        beside = besideOf(children, indexWith(children, node), isLoose, siblingOf)
      }
      ancestors.push(elementOf(outer))
    } else if (outer.type === 'JSXFragment' || isFunctionOfFlow(outer, path, at)) isLoose = true
    else if (!CARRIES_ON.test(outer.type)) break
  }
  return { image: elementOf(node), ancestors, ...beside }
}

/** Tells whether a function is what a `<For>` makes of each. */
function isFunctionOfFlow(node: SyntaxNode, path: Path, at: number): boolean {
  if (node.type !== 'ArrowFunctionExpression') return false
  const holder = path[at - 1]
  const element = path[at - 2]
  return holder?.type === 'JSXExpressionContainer' && element?.type === 'JSXElement'
}

function siblingOf(node: SyntaxNode): (TemplateElement | typeof UNKNOWN)[] {
  if (node.type === 'JSXText') return []
  if (node.type === 'JSXElement') return [tagOf(node) === undefined ? UNKNOWN : elementOf(node)]
  const expression = expressionIn(node)
  const isText = expression?.type === 'JSXEmptyExpression' || literalText(expression) !== undefined
  return isText ? [] : [UNKNOWN]
}
