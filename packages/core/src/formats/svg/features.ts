import { optimize } from 'svgo/browser'
import type { XastElement, XastRoot } from 'svgo'
import {
  ANIMATION_ELEMENTS,
  BOX_UNITS,
  CHEAP_PRIMITIVES,
  HIDING,
  MAY_HIDE,
  NEVER_SEEN,
  NUMBER_ATTRIBUTES,
  PLAIN_ATTRIBUTES,
  PLAIN_ELEMENTS,
  PLAIN_PROPERTIES,
  REFERENCE_ATTRIBUTES,
  ROOT_ATTRIBUTES,
  UNSEEN,
  isHiding,
} from './known.ts'
import { drawnElements } from './drawn-elements.ts'
import { sizeOf } from './own-size.ts'

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'

/** Namespaces of what browsers paint, and whose elements can have a prefix. */
const VOCABULARIES: ReadonlySet<string> = new Set([
  SVG_NAMESPACE,
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/1998/Math/MathML',
])

/** The features of a document that decide which rewriting keeps its meaning. */
export interface Features {
  /** Scripts, event handlers and links to scripts, which see every node of the document. */
  scripts: boolean
  /** HTML or another vocabulary inside, or SVG with a prefix: svgo's parser drops the spaces between their words. */
  foreign: boolean
  /** A style sheet, inside or referred to. */
  styleSheet: boolean
  /** A style sheet whose rules depend on attributes' values, or which lies elsewhere and may do so. */
  attributeSelectors: boolean
  /** A rule for elements without content, which spaces and comments are. */
  emptySelectors: boolean
  /** Style sheets and `style` attributes of the plainest syntax only, which csso is sure to understand. */
  plainStyles: boolean
  /** Selectors that are classes and ids alone, so that no rule depends on an element's place. */
  simpleRules: boolean
  /** Animations and transitions, of SMIL or CSS. */
  animation: boolean
  /** References to what is not there, and ids below the root that only other documents can refer to. */
  outerReferences: boolean
  transformOrigin: boolean
  /** Something that a rendering does not show and a page may: symbols, what is hidden, rules for other states. */
  unseen: boolean
  /** Markers, which stand where segments of paths meet. */
  markers: boolean
  /** Elements, attributes or properties that are not among the plain ones. */
  unusual: boolean
  /** A number in an attribute that is a name or data, which svgo would round as well. */
  numbersAsNames: boolean
  /** Coordinates of six digits or more: written otherwise, they round otherwise in browsers' single precision. */
  largeNumbers: boolean
  /** Decimals that numbers need, so that no coordinate moves visibly. */
  decimals: number
  /** Elements that are painted, with those of references each time that they are referred to; bounded. */
  drawn: number
  /** Raster images, or filters whose cost has no bound that shows in the file. */
  costly: boolean
  /** Pixels of the outermost element, its `viewBox` where it has none, or `undefined`. */
  size: { width: number; height: number } | undefined
}

/**
 * Reads what the document holds from the tree that svgo's plugins are going to see.
 * @throws Error of svgo's parser
 */
export function readFeatures(text: string): Features {
  const features: Features = {
    scripts: false,
    foreign: false,
    styleSheet: false,
    attributeSelectors: false,
    emptySelectors: false,
    plainStyles: true,
    simpleRules: true,
    animation: false,
    outerReferences: false,
    transformOrigin: false,
    unseen: false,
    markers: /marker/i.test(text),
    unusual: false,
    numbersAsNames: false,
    largeNumbers: false,
    decimals: 3,
    drawn: 0,
    costly: false,
    size: undefined,
  }
  optimize(text, { plugins: [{ name: 'readFeatures', fn: (root) => readDocument(root, features) }] })
  return features
}

/**
 * Decimals for a picture of ten units or more, and the most that are of use: a unit is then a thousandth of a pixel.
 */
const FEWEST_DECIMALS = 3
const MOST_DECIMALS = 8

function readDocument(document: XastRoot, features: Features): void {
  let smallestUnits = Infinity
  let largestScale = 1
  const bound = new Set<string>()
  const used = new Set<string>()
  const ids: string[] = []
  const targets = new Set<string>()
  const defined: (string | undefined)[] = []

  function read(element: XastElement, isRoot: boolean, scale: number): void {
    const { name, attributes, children } = element
    const own = scale * scaleOf(attributes.transform ?? '')
    largestScale = Math.max(largestScale, own)
    readElement(element, isRoot, features)
    if (name.includes(':')) used.add(name.split(':', 1)[0]!)
    if (attributes.id !== undefined && !isRoot && !NEVER_SEEN.has(name)) ids.push(attributes.id)
    if (UNSEEN.has(name)) features.unseen = true
    for (const [key, value] of Object.entries(attributes)) {
      readAttribute(key, value, isRoot, features)
      for (const target of targetsIn(key, value)) targets.add(target)
      if (key.startsWith('xmlns:') && VOCABULARIES.has(value)) bound.add(key.slice('xmlns:'.length))
    }
    if (attributes.viewBox !== undefined) smallestUnits = Math.min(smallestUnits, longerSide(attributes.viewBox))
    if (Object.entries(attributes).some(([key, value]) => BOX_UNITS.has(key) && value === 'objectBoundingBox')) {
      smallestUnits = Math.min(smallestUnits, 1)
    }
    if (name === 'style') readStyleSheet(textOf(element), features)
    for (const child of children) {
      if (child.type !== 'element') continue
      if (name === 'defs' && !NEVER_SEEN.has(child.name)) defined.push(child.attributes.id)
      read(child, false, own)
    }
  }

  for (const child of document.children) {
    if (child.type === 'element') {
      read(child, true, 1)
      features.size = sizeOf(child)
    } else if (child.type === 'instruction' && child.name !== 'xml') {
      features.styleSheet = features.attributeSelectors = true
    }
  }
  if ([...used].some((prefix) => bound.has(prefix))) features.foreign = true
  features.outerReferences =
    ids.length !== targets.size || new Set(ids).size !== ids.length || !ids.every((id) => targets.has(id))
  if (defined.some((id) => id === undefined || !targets.has(id))) features.unseen = true
  if (smallestUnits === Infinity) smallestUnits = Math.max(features.size?.width ?? 100, features.size?.height ?? 100)
  const wanted = FEWEST_DECIMALS + Math.ceil(Math.log10((10 * largestScale) / smallestUnits))
  features.decimals = Math.min(MOST_DECIMALS, Math.max(FEWEST_DECIMALS, Number.isNaN(wanted) ? MOST_DECIMALS : wanted))
  features.drawn = drawnElements(document)
}

function readElement({ name, attributes }: XastElement, isRoot: boolean, features: Features): void {
  const { xmlns } = attributes
  // A name with a prefix is an editor's own element, which nobody paints, or of a known vocabulary, which its namespace
  // says.
  if (name.includes(':')) return
  if (xmlns !== undefined && xmlns !== SVG_NAMESPACE) features.foreign = true
  if (isRoot && (xmlns === undefined || name !== 'svg')) features.unusual = true
  if (name === 'foreignObject') features.foreign = true
  if (name === 'script' || name === 'handler') features.scripts = true
  if (name === 'style' || name === 'link') features.styleSheet = true
  if (name === 'link') features.attributeSelectors = true
  if (name === 'image' || (name.startsWith('fe') && !CHEAP_PRIMITIVES.has(name))) features.costly = true
  if (ANIMATION_ELEMENTS.has(name)) features.animation = true
  if (!PLAIN_ELEMENTS.has(name) || (name === 'svg' && !isRoot)) features.unusual = true
}

function readAttribute(name: string, value: string, isRoot: boolean, features: Features): void {
  if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) features.scripts = true
  if (name === 'transform-origin') features.transformOrigin = true
  if (name === 'style') readDeclarations(value, features)
  if (HIDING.has(name) && isHiding(value)) features.unseen = true
  if (!NUMBER_ATTRIBUTES.has(name) && /^\s*[-+]?\d*\.?\d+(?:e[-+]?\d+)?[a-z%]*\s*$/i.test(value)) {
    // Whole numbers without unit, sign or leading zero are left as they are.
    if (!/^(?:0|[1-9]\d{0,14})$/.test(value)) features.numbersAsNames = true
  }
  const isGeometry = PLAIN_ATTRIBUTES.has(name) && name !== 'style'
  if (isGeometry && /(?<![.\d])\d{6}/.test(value)) features.largeNumbers = true
  if (!isPlainAttribute(name, value, isRoot)) features.unusual = true
}

function isPlainAttribute(name: string, value: string, isRoot: boolean): boolean {
  if (PLAIN_PROPERTIES.has(name)) return isPlainValue(value)
  if (PLAIN_ATTRIBUTES.has(name) || REFERENCE_ATTRIBUTES.has(name)) return true
  if (isRoot && (ROOT_ATTRIBUTES.has(name) || /^(?:aria|data)-/.test(name))) return true
  // Other vocabularies are never painted; those of XML itself are listed.
  return name.includes(':') && !/^(?:xml|xlink):/.test(name)
}

/** Names what an attribute refers to: an id of the document, or whatever else it is. */
function targetsIn(name: string, value: string): string[] {
  if (/^(?:xlink:)?href$/.test(name)) return [value.replace(/^#/, '')]
  return [...value.matchAll(/url\(\s*["']?([^"')]*)/g)].map(([, target]) => target!.trim().replace(/^#/, ''))
}

/** Functions but those of colours, and references, make a value depend on something else. */
const isPlainValue = (value: string): boolean =>
  !value
    .replaceAll(/\b(?:rgba?|hsla?)\(/gi, '')
    .replaceAll(PLAIN_REFERENCE, '')
    .includes('(')

const PLAIN_REFERENCE = /\burl\(#[\w.:-]+\)/g

/** Declarations without strings, escapes, or functions but those of colours and references. */
const PLAIN_DECLARATIONS = /^[\w\s#.,:;%+-]*$/

function readDeclarations(style: string, features: Features): void {
  const plain = style.replaceAll(/\b(?:rgba?|hsla?)\([\d\s.,%/]*\)/gi, '').replaceAll(PLAIN_REFERENCE, '')
  if (!PLAIN_DECLARATIONS.test(plain)) {
    features.plainStyles = false
    features.unusual = true
  }
  if (/animation|transition|offset-/i.test(style)) features.animation = true
  if (/transform/i.test(style)) features.transformOrigin = true
  for (const declaration of style.split(';')) {
    const [name, value = ''] = declaration.split(':')
    const property = name!.trim()
    if (HIDING.has(property) && isHiding(value)) features.unseen = true
    if (property !== '' && !PLAIN_PROPERTIES.has(property)) features.unusual = true
  }
}

/**
 * Rules of simple selectors, not nested, without strings, escapes, or functions but those of colours and references.
 */
const PLAIN_RULES = /^(?:[\w\s#.,:>+~*-]*\{[\w\s#.,:;%+-]*\})*\s*$/

/** Rules of which each selector is one class or one id. */
const SIMPLE_RULES = /^\s*(?:[.#][\w-]+(?:\s*,\s*[.#][\w-]+)*\s*\{[^{}]*\}\s*)*$/

function readStyleSheet(css: string, features: Features): void {
  features.styleSheet = true
  const plain = css
    .replaceAll(/\/\*(?!!)[^]*?\*\//g, '')
    .replaceAll(/\b(?:rgba?|hsla?)\([\d\s.,%/]*\)|\burl\(#[\w-]+\)/gi, '')
  if (!PLAIN_RULES.test(plain)) features.plainStyles = false
  if (!features.plainStyles || !SIMPLE_RULES.test(plain)) features.simpleRules = false
  if (!features.plainStyles || MAY_HIDE.test(plain)) features.unseen = true
  if (css.includes('[') || /@import/i.test(css)) features.attributeSelectors = true
  if (/:empty|\\/i.test(css)) features.emptySelectors = true
  if (/animation|transition|keyframes|offset-/i.test(css)) features.animation = true
  if (/transform/i.test(css)) features.transformOrigin = true
}

function textOf({ children }: XastElement): string {
  return children.map((child) => (child.type === 'text' || child.type === 'cdata' ? child.value : '')).join('')
}

/** Returns the largest factor by which a list of transforms enlarges its content. */
function scaleOf(transform: string): number {
  let scale = 1
  for (const [, name, numbers] of transform.matchAll(/(scale|matrix)\s*\(([^)]*)\)/g)) {
    const values = numbers!
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    scale *= Math.max(...(name === 'scale' ? values : values.slice(0, 4)).map(Math.abs))
  }
  return Number.isFinite(scale) && scale > 0 ? scale : 1
}

function longerSide(viewBox: string): number {
  const [, , width = 0, height = 0] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const side = Math.max(width, height)
  return side > 0 ? side : Infinity
}
