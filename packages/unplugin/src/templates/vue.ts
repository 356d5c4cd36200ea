import type { FoundImage, NotedPlace } from './found-image.ts'
import { OF_CANDIDATES } from './found-image.ts'
import { UNKNOWN, UNKNOWN_BESIDE, besideOf } from './surroundings.ts'
import type { Surroundings, TemplateElement } from './surroundings.ts'
import { VUE, staticAttribute, bound, directiveOf, expressionOf, isElement } from './vue-tree.ts'
import type { VueContext, VueElement, VueNode, VueProperty } from './vue-tree.ts'

/** Does a build's part for the images of Vue's templates. */
export interface VueImages {
  /** The module of the component that stands around an image. */
  readonly component: string
  /** The module whose default export looks an image up by its URL. */
  readonly find: string
  /** Tells whether an attribute's text is the specifier of an image that Vue imports, or of the public folder. */
  isAsset(text: string): boolean
  /** The specifier of the image that a name of the component's script stands for. */
  imported(file: string, name: string): string | undefined
  note(file: string, index: number, image: FoundImage): NotedPlace
}

/**
 * A transform of Vue's compiler. On the whole template, before any other has changed it, each `<img>` of an image gets
 * a component around it that makes the `<picture>`, so that the compiler sees what an author could have written.
 */
export function createVueTransform(images: VueImages): (node: VueNode, context: VueContext) => void {
  return (root, context) => {
    const { filename } = context
    if (root.type !== VUE.root || context.addIdentifiers === undefined || filename === undefined) return
    let count = 0
    const visit = (parent: VueNode, ancestors: readonly VueElement[]): void => {
      for (const [index, node] of (parent.children as VueNode[]).entries()) {
        if (!isElement(node)) continue
        const source = sourceOf(node, ancestors, filename, images)
        if (source !== undefined && hasPlace(ancestors)) {
          const { specifier, expression } = source
          const place = surroundingsOf(node, ancestors, context.scopeId ?? undefined)
          const noted = images.note(filename, count, { specifier, place })
          const shown = shownBy(context, images, { node, index: count, noted, expression })
          parent.children![index] = wrapped(node, shown, context, images.component)
          count++
        } else visit(node, [node, ...ancestors])
      }
    }
    visit(root, [])
  }
}

/** Components whose child has to be the element itself. */
const OF_ONE_ELEMENT = /^(?:base-?)?(?:transition(?:-?group)?|keep-?alive)$/i

/**
 * The root of a component is the element that its parent's styles and attributes apply to, and an animation is one of
 * the element: both would be those of the picture.
 */
function hasPlace(ancestors: readonly VueElement[]): boolean {
  const [parent] = ancestors.filter(({ tagType }) => tagType !== TEMPLATE)
  return parent !== undefined && !OF_ONE_ELEMENT.test(parent.tag)
}

const TEMPLATE = 3

/** An `<img>` shows an image that the template names, or whatever an expression comes to. */
interface Source {
  readonly specifier: string | undefined
  readonly expression: string
}

function sourceOf(
  node: VueElement,
  ancestors: readonly VueElement[],
  file: string,
  images: VueImages,
): Source | undefined {
  if (node.tag !== 'img') return undefined
  const isDecided = node.props.some(({ name, arg }) => OF_CANDIDATES.has(name) || OF_CANDIDATES.has(arg?.content ?? ''))
  if (isDecided || ['once', 'memo', 'slot', 'is'].some((name) => directiveOf(node, name) !== undefined))
    return undefined
  const text = staticAttribute(node, 'src')
  if (text !== undefined) return images.isAsset(text) ? { specifier: text, expression: '' } : undefined
  const expression = directiveOf(node, 'bind', 'src')?.exp?.content.trim() ?? ''
  // For a server, Vue transforms what a component holds twice.
  if (expression.startsWith('__pixpress_')) return undefined
  if (expression === '' || /^(?:'[^']*'|"[^"]*"|`[^`$]*`)$/.test(expression)) return undefined
  const isName = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(expression)
  const isImport = isName && ![node, ...ancestors].some((each) => maySetName(each, expression))
  return { specifier: isImport ? images.imported(file, expression) : undefined, expression }
}

/** Tells whether a loop or a slot may give the name another meaning. */
const maySetName = ({ props }: VueElement, name: string): boolean =>
  props.some((each) => /^(?:for|slot)$/.test(each.name) && each.exp?.content.includes(name) === true)

/** Directives that decide whether and how often an element is there, and the key that tells one from another. */
const isOfPlace = ({ type, name, arg }: VueProperty): boolean =>
  type === VUE.directive
    ? /^(?:if|else-if|else|for)$/.test(name) || (name === 'bind' && arg?.isStatic === true && arg.content === 'key')
    : name === 'key'

/** Has the component's script import a module. @returns its name */
function addImport(context: VueContext, name: string, path: string, loc: unknown): string {
  if (!context.imports.some(({ exp }) => exp.content === name))
    context.imports.push({ exp: expressionOf(name, loc), path })
  context.addIdentifiers!(name)
  return name
}

interface Place {
  readonly node: VueElement
  readonly index: number
  readonly noted: NotedPlace
  readonly expression: string
}

/** The expression of what is shown. */
function shownBy(context: VueContext, images: VueImages, { node: { loc }, index, noted, expression }: Place): string {
  const { shown, isShown } = noted
  if (shown !== undefined) return addImport(context, `__pixpress_shown_${index}`, shown, loc)
  context.addIdentifiers!(isShown)
  return `${addImport(context, '__pixpress_find', images.find, loc)}(${expression}, ${isShown})`
}

function wrapped(image: VueElement, shown: string, context: VueContext, component: string): VueElement {
  const { loc } = image
  const tag = addImport(context, '__pixpress_image', component, loc)
  const ofPlace = image.props.filter(isOfPlace)
  image.props = [
    ...image.props.filter((each) => !isOfPlace(each) && !isSource(each)),
    bound('src', `${shown}.src`, loc),
  ]
  return {
    type: VUE.element,
    tag: 'component',
    tagType: 1,
    ns: image.ns,
    props: [...ofPlace, bound('is', tag, loc), bound('of', shown, loc)],
    children: [image],
    loc,
    codegenNode: undefined,
    isSelfClosing: false,
  }
}

const isSource = ({ type, name, arg }: VueProperty): boolean =>
  type === VUE.directive ? name === 'bind' && arg?.content === 'src' : name === 'src'

/** @param scope the attribute that Vue adds to every element of the component for its scoped styles */
function surroundingsOf(image: VueElement, around: readonly VueElement[], scope: string | undefined): Surroundings {
  const ancestors: TemplateElement[] = []
  let beside = UNKNOWN_BESIDE
  let isLoose = directiveOf(image, 'for') !== undefined
  let inner = image
  for (const element of around) {
    if (element.tagType === TEMPLATE) {
      isLoose = true
      inner = element
      continue
    }
    if (element.tagType !== 0) break
    if (ancestors.length === 0) {
      const { children } = element
      beside = besideOf(children, children.indexOf(inner), isLoose, (each) => siblingOf(each, scope))
    }
    ancestors.push(elementOf(element, scope))
    inner = element
  }
  return { image: elementOf(image, scope), ancestors, ...beside }
}

function siblingOf(node: VueNode, scope: string | undefined): (TemplateElement | typeof UNKNOWN)[] {
  if (!isElement(node)) return []
  const isSure = node.tagType === 0 && !node.props.some(isOfPlace)
  return [isSure ? elementOf(node, scope) : UNKNOWN]
}

function elementOf(element: VueElement, scope: string | undefined): TemplateElement {
  const attributes: [string, string][] = scope === undefined ? [] : [[scope, '']]
  let isOpen = false
  for (const each of element.props) {
    if (each.type === VUE.attribute) attributes.push([each.name.toLowerCase(), each.value?.content ?? ''])
    else if (each.name === 'bind') {
      const name = each.arg?.isStatic === true ? each.arg.content.toLowerCase() : undefined
      if (name === undefined || name === 'class' || name === 'id') isOpen = true
      else attributes.push([name, ''])
    }
  }
  return { tagName: element.tag.toLowerCase(), attributes, isOpen }
}
