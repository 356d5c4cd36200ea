import { _collections } from 'svgo/browser'
import type { Config, CustomPlugin, PluginConfig, XastElement, XastRoot } from 'svgo'
import type { Features } from './features.ts'
import type { ResolvedSvgoConfig } from '../../operations/svgo-config.ts'

/**
 * How much of a document is rewritten:
 * - `markup`: comments, the prolog, spaces between elements, unused namespaces. Elements and attributes stay as they
 *   are.
 * - `values`: how numbers, colours, transforms, path data and plain style sheets are written, too. No element or
 *   attribute comes, goes or moves but empty groups and what editors left for themselves, and these only where no style
 *   sheet counts elements. Where pages look inside, only path data is rewritten, and what editors left is emptied.
 * - `paths`: besides, paths are drawn with other segments.
 * - `structure`: all that keeps a static drawing's look: shapes become paths, groups are collapsed, defaults dropped.
 */
export type Tier = 'markup' | 'values' | 'paths' | 'structure'

/** Bytes beyond which one pass must do: further ones save little and take seconds on long paths. */
const MULTIPASS_BYTES = 100_000

/** A way to rewrite a document. */
export interface Rewriting {
  readonly tier: Tier
  /** Decimals of numbers; irrelevant for `markup`. */
  readonly decimals: number
  /** The result must look the same at twice the usual size, as it has fewer decimals than the size asks for. */
  readonly isBold?: true
  /** Curves of paths that are nearly arcs become arcs, which bends some outlines visibly. */
  readonly hasArcs?: true
  /** Pages look inside it: their rules may name any value as it is written, and scripts may read or count anything. */
  readonly isLookedInto?: true
}

/**
 * Returns the rewritings that keep the document's meaning, those that save the most first: one decimal less comes
 * before all others. Over 78 drawings that saves 2.8 %, and as many look the same at twice the usual size as without
 * it; the loss of two decimals is visible. Which rewriting of a group saves more depends on the drawing.
 * @param isPicture Tells whether nothing but the look is seen. Else pages look inside.
 */
export function rewritingsOf(features: Features, isPicture: boolean): readonly (readonly Rewriting[])[] {
  const { decimals: usual } = features
  const decimals = isPicture ? { decimals: usual } : ({ decimals: usual, isLookedInto: true } as const)
  const bold = { ...decimals, decimals: usual - 1, isBold: true } as const
  const precise = { ...decimals, decimals: usual + 1 } as const
  const drawn = (tier: 'structure' | 'paths'): readonly (readonly Rewriting[])[] => [
    [{ tier, ...bold, hasArcs: true }],
    [
      { tier, ...bold },
      { tier, ...decimals, hasArcs: true },
      { tier, ...decimals },
    ],
    [{ tier, ...precise }],
  ]
  const markup: Rewriting = { tier: 'markup', ...decimals }
  if (features.animation || features.attributeSelectors || features.largeNumbers) return [[markup]]
  const values: Rewriting = { tier: 'values', ...decimals }
  const usually = [[values], [{ ...values, ...precise }], [markup]]
  // A decimal less joins points, which a stroke of the page shows, and unseen paths cannot be compared.
  const rest = features.unseen && !isPicture ? usually : [[{ ...values, ...bold }], ...usually]
  // Where another document draws an element by its id, attributes that went to a group around it would be missing.
  const isPlain =
    isPicture && !features.styleSheet && !features.outerReferences && !features.transformOrigin && !features.unusual
  if (isPlain) return [...drawn('structure'), ...rest]
  // Other segments have to be compared with the source, and markers stand where segments meet.
  return features.markers || features.unseen ? rest : [...drawn('paths'), ...rest]
}

/** Paths of a document by their order, the first of them and the one after the last. */
export type PathRange = readonly [first: number, end: number]

/** Stands on paths that are to stay apart: svgo merges those of equal attributes. */
const APART = 'pixpress-apart'

/** Tells whether paths of equal attributes that follow each other in a result may become one. */
export function mayMerge({ tier }: Rewriting, { markers, unseen, ...features }: Features, result: string): boolean {
  // Under rules by class or id alone, a path looks the same in any place.
  const isStyled = features.styleSheet && features.simpleRules && !features.outerReferences
  const isTaken = tier === 'structure' || (isStyled && tier !== 'markup' && !markers && !unseen)
  return isTaken && /<path[^>]*\/>(?:\s|<\/?g>)*<path/.test(result)
}

/**
 * Returns the configuration by which paths of equal attributes that follow each other become one. Where paths overlap
 * that is another drawing, so it has to be compared. This takes 3 to 29 % off 8 of 217 drawings, of three sites and of
 * packages.
 * @param ranges paths that may be merged with each other
 */
export function mergingConfig(
  { tier, decimals: floatPrecision }: Rewriting,
  ranges: readonly PathRange[],
  own: ResolvedSvgoConfig | undefined,
): Config {
  let at = 0
  const keepApart: CustomPlugin = {
    name: 'keepApart',
    fn: () => ({
      element: {
        enter({ name, attributes }) {
          if (name !== 'path') return
          const range = ranges.findIndex(([first, end]) => first <= at && at < end)
          attributes[APART] = range === -1 ? `path ${at}` : `range ${range}`
          at++
        },
      },
    }),
  }
  const letGo: CustomPlugin = {
    name: 'letGo',
    fn: () => ({ element: { enter: ({ attributes }) => void delete attributes[APART] } }),
  }
  const segments = tier === 'structure' ? WITHOUT_ARCS : SAME_SEGMENTS
  return {
    plugins: [
      keepApart,
      ...(tier === 'structure' ? [] : (['collapseGroups'] as const)),
      { name: 'mergePaths', params: { floatPrecision } },
      letGo,
      'collapseGroups',
      { name: 'convertPathData', params: { ...segments, floatPrecision } },
      'sortAttrs',
    ],
    ...(own as Config | undefined),
  }
}

/**
 * Returns why svgo, which drops spaces between elements, would change what the document means, as a sentence for a
 * person.
 */
export function lossOfMeaning(features: Features): string | undefined {
  if (features.scripts) return 'An SVG with scripts is passed through as it is: they see every node of it.'
  if (features.foreign) return 'An SVG with HTML inside, or with prefixed elements, is passed through as it is.'
  if (features.emptySelectors) return 'An SVG whose styles ask for empty elements is passed through as it is.'
  return undefined
}

/** Returns svgo's configuration for a tier, with the caller's own where there is one. */
export function configFor(
  rewriting: Rewriting,
  features: Features,
  bytes: number,
  own: ResolvedSvgoConfig | undefined,
): Config {
  return {
    multipass: bytes < MULTIPASS_BYTES,
    plugins: pluginsFor(rewriting, features),
    ...(own as Config | undefined),
  }
}

function pluginsFor(rewriting: Rewriting, features: Features): PluginConfig[] {
  if (rewriting.tier === 'markup') return MARKUP
  return rewriting.tier === 'structure' ? [structurePlugins(rewriting, features)] : valuePlugins(rewriting, features)
}

/** Removes groups that hold nothing and say nothing, of which some exports have dozens. */
const EMPTY_GROUPS: CustomPlugin = {
  name: 'removeEmptyGroups',
  fn: () => ({
    element: {
      exit(node, parent) {
        const isEmpty = node.name === 'g' && node.children.length === 0 && Object.keys(node.attributes).length === 0
        if (isEmpty) parent.children = parent.children.filter((child) => child !== node)
      },
    },
  }),
}

/** Names that people give to elements in Inkscape and Affinity: scripts of maps look elements up by them. */
const GIVEN_NAMES: ReadonlySet<string> = new Set(['inkscape:label', 'serif:id'])

/** Empties what editors left for themselves. An element stays in each place, as pages count elements. */
const EMPTY_NOTES: CustomPlugin = {
  name: 'emptyNotes',
  fn: () => {
    const prefixes = new Set<string>()
    const isOfEditors = (name: string): boolean => name.includes(':') && prefixes.has(name.split(':', 1)[0]!)
    return {
      element: {
        enter(node, parent) {
          const { attributes } = node
          if (parent.type === 'root') {
            for (const [name, value] of Object.entries(attributes)) {
              if (name.startsWith('xmlns:') && _collections.editorNamespaces.has(value)) prefixes.add(name.slice(6))
            }
          }
          const isNote = node.name === 'metadata' || isOfEditors(node.name)
          for (const name of Object.keys(attributes)) {
            const isRemoved = isNote ? name !== 'id' : isOfEditors(name) && !GIVEN_NAMES.has(name)
            if (isRemoved) delete attributes[name]
          }
          if (isNote) Object.assign(node, { name: 'metadata', children: [] })
        },
      },
    }
  },
}

const outermost = ({ children }: XastRoot): XastElement =>
  children.find(({ type }) => type === 'element') as XastElement

/**
 * A page may give any path a stroke, which shows where an outline closes, and dots of no length. svgo keeps both where
 * it cannot tell the stroke, as in a media query.
 */
const STROKES = '@media all{path{stroke:red}svg:not([stroke-linecap]){stroke-linecap:round}}'
const ADD_STROKES: CustomPlugin = {
  name: 'addStrokes',
  fn: (root) => {
    const text = { type: 'text', value: STROKES } as const
    outermost(root).children.unshift({ type: 'element', name: 'style', attributes: {}, children: [text] })
  },
}
const DROP_STROKES: CustomPlugin = { name: 'dropStrokes', fn: (root) => void outermost(root).children.shift() }

const MARKUP: PluginConfig[] = ['removeDoctype', 'removeXMLProcInst', 'removeComments', 'removeUnusedNS']

function valuePlugins(
  { tier, decimals: floatPrecision, hasArcs, isLookedInto }: Rewriting,
  { styleSheet, plainStyles, transformOrigin, numbersAsNames }: Features,
): PluginConfig[] {
  const segments = tier === 'values' ? SAME_SEGMENTS : { applyTransforms: false, ...(!hasArcs && WITHOUT_ARCS) }
  // A line to where the path began, before it closes there, changes the mitre of that corner.
  const closing = isLookedInto === true && { convertToZ: false }
  const paths = { name: 'convertPathData', params: { ...segments, ...closing, floatPrecision } } as const
  const prolog = ['removeDoctype', 'removeXMLProcInst', 'removeComments'] as const
  if (isLookedInto) {
    return [...prolog, ...(styleSheet ? [] : [EMPTY_NOTES]), ADD_STROKES, paths, DROP_STROKES, 'removeUnusedNS']
  }
  return [
    ...prolog,
    ...(styleSheet ? [] : (['removeMetadata', 'removeEditorsNSData', EMPTY_GROUPS, 'cleanupAttrs'] as const)),
    // Rules keep their order and their declarations: which of them applies is the browser's to decide.
    ...(plainStyles ? [{ name: 'minifyStyles', params: { restructure: false, usage: false } } as const] : []),
    ...(numbersAsNames ? [] : [{ name: 'cleanupNumericValues', params: { floatPrecision } } as const]),
    'convertColors',
    paths,
    ...(styleSheet || transformOrigin
      ? []
      : [{ name: 'convertTransform', params: { floatPrecision, transformPrecision: floatPrecision + 2 } } as const]),
    'removeUnusedNS',
  ]
}

/** svgo takes `false` here, which its types do not say. */
const WITHOUT_ARCS = { makeArcs: false as unknown as undefined }

/** Path data of the same segments in the same order, which markers, dashes and other documents' styles see. */
const SAME_SEGMENTS = {
  applyTransforms: false,
  ...WITHOUT_ARCS,
  straightCurves: false,
  convertToQ: false,
  convertToZ: false,
  removeUseless: false,
  collapseRepeated: false,
} as const

function structurePlugins({ decimals, hasArcs }: Rewriting, { numbersAsNames }: Features): PluginConfig {
  return {
    name: 'preset-default',
    params: {
      // Hidden elements and definitions can be shown from outside; paths are merged in what has come of all others.
      overrides: {
        cleanupIds: false,
        removeHiddenElems: false,
        removeUselessDefs: false,
        mergePaths: false,
        ...(numbersAsNames && { cleanupNumericValues: false }),
        ...(!hasArcs && { convertPathData: WITHOUT_ARCS }),
      },
      // svgo's own three are not the same in every plugin.
      ...(decimals !== 3 && { floatPrecision: decimals }),
    },
  }
}
