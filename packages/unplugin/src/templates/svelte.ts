import type { MagicString } from 'magic-string'
import { possibleText } from './class-names.ts'
import { OF_CANDIDATES } from './found-image.ts'
import type { FoundImage } from './found-image.ts'
import type { FindImage } from './image-expression.ts'
import type { Shown } from './jsx.ts'
import { UNKNOWN, UNKNOWN_BESIDE, besideOf } from './surroundings.ts'
import type { Surroundings, TemplateElement } from './surroundings.ts'
import { indexWith, isNode, nodeOf, nodesOf, literalText, visitAll } from './syntax.ts'
import type { Path, SyntaxNode } from './syntax.ts'

/** An `<img>` of a Svelte component, in the syntax tree that its compiler calls modern. */
export interface SvelteImage extends FoundImage {
  readonly element: SyntaxNode
  /** The attribute `src`. */
  readonly attribute: SyntaxNode
  /** The expression in it. */
  readonly source: SyntaxNode
}

/** Directives that are of the element which its block holds. */
const OF_PLACE = /^(?:Animate|Transition|Let)Directive$/

/** Finds the `<img>` elements of a component that show an image of the project. */
export function findSvelteImages(root: SyntaxNode, find: FindImage): SvelteImage[] {
  const found: SvelteImage[] = []
  visitAll(nodeOf(root, 'fragment') ?? root, (node, path) => {
    if (node.type !== 'RegularElement' || node['name'] !== 'img') return
    const attributes = nodesOf(node, 'attributes')
    if (attributes.some(({ type, name }) => OF_PLACE.test(type) || OF_CANDIDATES.has(String(name)))) return
    if (attributes.some(({ name }) => name === 'slot')) return
    const attribute = attributes.find(({ type, name }) => type === 'Attribute' && name === 'src')
    const source = attribute && expressionOf(attribute)
    if (attribute === undefined || source === undefined) return
    const specifier = find(source)
    // A text that names no image of the public folder is the URL of something else.
    if (specifier === undefined && literalText(source) !== undefined) return
    found.push({ specifier, place: surroundingsOf(node, path), element: node, attribute, source })
  })
  return found
}

/** Puts a component around an `<img>`, which makes the `<picture>`. */
export function wrapSvelte(text: MagicString, image: SvelteImage, component: string, shown: Shown): void {
  const { element, attribute, source } = image
  const code = text.original.slice(source.start, source.end)
  const expression = typeof shown === 'string' ? shown : `${shown.find}(${code}, ${shown.isShown})`
  text.update(attribute.start, attribute.end, `src={${expression}.src}`)
  text.appendLeft(element.start, `<${component} of={${expression}}>`)
  text.appendRight(element.end, `</${component}>`)
}

/** The expression of `src={hero}`, `src="{hero}"`, `{src}` and `src="/hero.png"`. */
function expressionOf({ value }: SyntaxNode): SyntaxNode | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (!isNode(only)) return undefined
  if (only.type === 'Text') return { ...only, type: 'Literal', value: String(only['data']) }
  return only.type === 'ExpressionTag' ? nodeOf(only, 'expression') : undefined
}

function elementOf(element: SyntaxNode): TemplateElement {
  const attributes: [string, string][] = []
  let isOpen = false
  for (const each of nodesOf(element, 'attributes')) {
    if (each.type === 'ClassDirective') attributes.push(['class', String(each['name'])])
    else if (each.type === 'Attribute') {
      const name = String(each['name']).toLowerCase()
      const text = textOf(each['value'])
      if (text === undefined && (name === 'class' || name === 'id')) isOpen = true
      attributes.push([name, text ?? ''])
    } else if (each.type === 'SpreadAttribute') isOpen = true
  }
  const classes = attributes.filter(([name]) => name === 'class').map(([, value]) => value)
  const others = attributes.filter(([name]) => name !== 'class')
  const all: [string, string][] = classes.length === 0 ? others : [...others, ['class', classes.join(' ')]]
  return { tagName: String(element['name']).toLowerCase(), attributes: all, isOpen }
}

function textOf(value: unknown): string | undefined {
  if (value === true) return ''
  const parts = (Array.isArray(value) ? value : [value]).filter((each) => isNode(each))
  const texts = parts.map((each) =>
    each.type === 'Text' ? String(each['data']) : possibleText(nodeOf(each, 'expression')),
  )
  return texts.includes(undefined) ? undefined : texts.join('')
}

/** Blocks that give what they hold, or another part of it, where they stand. */
const BLOCK = /^(?:IfBlock|EachBlock|KeyBlock|AwaitBlock|Fragment)$/

function surroundingsOf(node: SyntaxNode, path: Path): Surroundings {
  const ancestors: TemplateElement[] = []
  let beside = UNKNOWN_BESIDE
  let isLoose = false
  for (let at = path.length - 1; at >= 0; at--) {
    const outer = path[at]!
    if (BLOCK.test(outer.type)) {
      isLoose ||= outer.type !== 'Fragment'
      continue
    }
    if (outer.type !== 'RegularElement') break
    if (ancestors.length === 0) {
      const children = nodesOf(nodeOf(outer, 'fragment'), 'nodes')
      beside = besideOf(children, indexWith(children, node), isLoose, siblingOf)
    }
    ancestors.push(elementOf(outer))
  }
  return { image: elementOf(node), ancestors, ...beside }
}

function siblingOf(node: SyntaxNode): (TemplateElement | typeof UNKNOWN)[] {
  if (/^(?:Text|Comment|ExpressionTag|ConstTag|DebugTag)$/.test(node.type)) return []
  return [node.type === 'RegularElement' ? elementOf(node) : UNKNOWN]
}
