import type { Config, PluginConfig } from 'svgo'
import type { Features } from './features.ts'
import type { ResolvedSvgoConfig } from '../../operations/svgo-config.ts'

/**
 * How much of a document is rewritten:
 * - `markup`: comments, the prolog, spaces between elements, unused namespaces. Elements and attributes stay as they
 *   are.
 * - `values`: how numbers, colours, path data and plain style sheets are written, too. No element or attribute comes,
 *   goes or moves but what editors left for themselves, and that only where no style sheet counts elements.
 * - `structure`: all that keeps a static drawing's look: shapes become paths, groups are collapsed, defaults dropped.
 * - `arcs`: besides, curves that are nearly arcs become arcs, which bends some outlines visibly.
 */
export type Tier = 'markup' | 'values' | 'structure' | 'arcs'

/** Bytes beyond which one pass must do: further ones save little and take seconds on long paths. */
const MULTIPASS_BYTES = 100_000

/** A way to rewrite a document. */
export interface Rewriting {
  readonly tier: Tier
  /** Decimals of numbers; irrelevant for `markup`. */
  readonly decimals: number
  /** The result must look the same at twice the usual size, as it has fewer decimals than the size asks for. */
  readonly isBold?: true
}

/**
 * Returns the rewritings that keep the document's meaning, the one that saves the most first: one decimal less comes
 * before all others. Over 78 drawings that saves 2.8 %, and as many look the same at twice the usual size as without
 * it; the loss of two decimals is visible.
 */
export function rewritingsOf(features: Features): readonly Rewriting[] {
  const { decimals } = features
  const markup: Rewriting = { tier: 'markup', decimals }
  if (features.animation || features.attributeSelectors || features.largeNumbers) return [markup]
  const isPlain = !features.styleSheet && !features.references && !features.transformOrigin && !features.unusual
  const bold = { decimals: decimals - 1, isBold: true } as const
  const structure: readonly Rewriting[] = [
    { tier: 'arcs', ...bold },
    { tier: 'structure', ...bold },
    { tier: 'arcs', decimals },
    { tier: 'structure', decimals },
    { tier: 'structure', decimals: decimals + 1 },
  ]
  const values: Rewriting = { tier: 'values', decimals }
  return [...(isPlain ? structure : []), { ...values, ...bold }, values, { ...values, decimals: decimals + 1 }, markup]
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

function pluginsFor({ tier, decimals }: Rewriting, features: Features): PluginConfig[] {
  if (tier === 'markup') return MARKUP
  return tier === 'values' ? valuePlugins(features, decimals) : [structurePlugins(features, decimals, tier === 'arcs')]
}

const MARKUP: PluginConfig[] = ['removeDoctype', 'removeXMLProcInst', 'removeComments', 'removeUnusedNS']

function valuePlugins(
  { styleSheet, plainStyles, transformOrigin, numbersAsNames }: Features,
  floatPrecision: number,
): PluginConfig[] {
  return [
    'removeDoctype',
    'removeXMLProcInst',
    'removeComments',
    ...(styleSheet ? [] : (['removeMetadata', 'removeEditorsNSData', 'cleanupAttrs'] as const)),
    // Rules keep their order and their declarations: which of them applies is the browser's to decide.
    ...(plainStyles ? [{ name: 'minifyStyles', params: { restructure: false, usage: false } } as const] : []),
    ...(numbersAsNames ? [] : [{ name: 'cleanupNumericValues', params: { floatPrecision } } as const]),
    'convertColors',
    { name: 'convertPathData', params: { ...SAME_SEGMENTS, floatPrecision } },
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

function structurePlugins({ numbersAsNames }: Features, decimals: number, withArcs: boolean): PluginConfig {
  return {
    name: 'preset-default',
    params: {
      // Hidden elements and definitions can be shown from outside; one path of several is another where they overlap.
      overrides: {
        cleanupIds: false,
        removeHiddenElems: false,
        removeUselessDefs: false,
        mergePaths: false,
        ...(numbersAsNames && { cleanupNumericValues: false }),
        ...(!withArcs && { convertPathData: WITHOUT_ARCS }),
      },
      // svgo's own three are not the same in every plugin.
      ...(decimals !== 3 && { floatPrecision: decimals }),
    },
  }
}
