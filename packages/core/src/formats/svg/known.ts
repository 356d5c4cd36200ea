/** Primitives of filters that take about the same time per pixel whatever their settings. */
export const CHEAP_PRIMITIVES: ReadonlySet<string> = new Set([
  'feBlend',
  'feColorMatrix',
  'feComponentTransfer',
  'feComposite',
  'feDropShadow',
  'feFlood',
  'feFuncA',
  'feFuncB',
  'feFuncG',
  'feFuncR',
  'feGaussianBlur',
  'feMerge',
  'feMergeNode',
  'feOffset',
])

/**
 * Elements and attributes that a drawing may have for its structure to be rewritten: their whole meaning is in how they
 * are painted, and librsvg paints them as browsers do. Text is not among them, as it depends on the fonts of the
 * machine.
 */
export const PLAIN_ELEMENTS: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'defs',
  'use',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
  'stop',
  'filter',
  ...CHEAP_PRIMITIVES,
  'title',
  'desc',
  'metadata',
])

/** Properties that are attributes or stand in a `style` attribute. Those of fonts are inherited by nothing here. */
export const PLAIN_PROPERTIES: ReadonlySet<string> = new Set([
  'clip-path',
  'clip-rule',
  'color',
  'color-interpolation',
  'color-interpolation-filters',
  'color-rendering',
  'display',
  'enable-background',
  'fill',
  'fill-opacity',
  'fill-rule',
  'filter',
  'flood-color',
  'flood-opacity',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'image-rendering',
  'isolation',
  'letter-spacing',
  'line-height',
  'mask',
  'mask-type',
  'mix-blend-mode',
  'opacity',
  'overflow',
  'shape-rendering',
  'stop-color',
  'stop-opacity',
  'stroke',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'stroke-width',
  'text-anchor',
  'text-rendering',
  'visibility',
  'word-spacing',
])

/** Attributes that an element of such a drawing may have. */
export const PLAIN_ATTRIBUTES: ReadonlySet<string> = new Set([
  'cx',
  'cy',
  'd',
  'height',
  'points',
  'r',
  'rx',
  'ry',
  'style',
  'transform',
  'width',
  'x',
  'x1',
  'x2',
  'y',
  'y1',
  'y2',
  'xml:space',
])

/**
 * Attributes of what such a drawing refers to, and of the references: nothing is left to be referred to from elsewhere.
 */
export const REFERENCE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'clipPathUnits',
  'dx',
  'dy',
  'filterUnits',
  'fr',
  'fx',
  'fy',
  'gradientTransform',
  'gradientUnits',
  'href',
  'id',
  'in',
  'in2',
  'k1',
  'k2',
  'k3',
  'k4',
  'maskContentUnits',
  'maskUnits',
  'mode',
  'offset',
  'operator',
  'patternContentUnits',
  'patternTransform',
  'patternUnits',
  'primitiveUnits',
  'result',
  'slope',
  'spreadMethod',
  'stdDeviation',
  'type',
  'values',
  'xlink:href',
])

/**
 * Attributes that only the outermost element may have besides: it is not moved, and a page refers to the image by it.
 */
export const ROOT_ATTRIBUTES: ReadonlySet<string> = new Set([
  'baseProfile',
  'class',
  'fill',
  'focusable',
  'id',
  'preserveAspectRatio',
  'role',
  'tabindex',
  'version',
  'viewBox',
  'xmlns',
  'xml:lang',
])

/** Attributes that svgo may round: a number in any other is a name or somebody's data. */
export const NUMBER_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...PLAIN_ATTRIBUTES,
  ...PLAIN_PROPERTIES,
  'dx',
  'dy',
  'fr',
  'fx',
  'fy',
  'markerHeight',
  'markerWidth',
  'offset',
  'refX',
  'refY',
  'stdDeviation',
  'version',
])

/** Elements of SMIL. */
export const ANIMATION_ELEMENTS: ReadonlySet<string> = new Set([
  'animate',
  'animateColor',
  'animateMotion',
  'animateTransform',
  'discard',
  'set',
])

/** Attributes that can make what is inside of an element a share of its user's size: there, 1 is the whole picture. */
export const BOX_UNITS: ReadonlySet<string> = new Set([
  'clipPathUnits',
  'filterUnits',
  'maskContentUnits',
  'maskUnits',
  'patternContentUnits',
  'patternUnits',
  'primitiveUnits',
])

/** Elements that a rendering of the whole document leaves out, or shows one of. */
export const UNSEEN: ReadonlySet<string> = new Set(['symbol', 'switch', 'view'])

/** Elements that are never painted. Their ids give a page the words for an image. */
export const NEVER_SEEN: ReadonlySet<string> = new Set(['style', 'title', 'desc', 'metadata'])

/** Properties that can hide an element. */
export const HIDING: ReadonlySet<string> = new Set([
  'display',
  'visibility',
  'opacity',
  'fill-opacity',
  'stroke-opacity',
])

/** Returns whether a value of such a property hides an element. */
export const isHiding = (value: string): boolean => /^\s*(?:none|hidden|collapse|0*\.?0+%?)\s*$/.test(value)

/** Properties that can hide an element, and selectors of states and places. */
export const MAY_HIDE: RegExp =
  /display|visibility|opacity|[}\s\w*]:(?:hover|focus|active|target|checked|not|nth|first|last|only)/i
