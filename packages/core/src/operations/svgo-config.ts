import type { Operation } from './row.ts'
import type { Config, CustomPlugin, PluginConfig } from 'svgo'
import { invalidOption } from '../base/errors.ts'
import { FLAG, object, record, suggestion, whole } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'

/**
 * The configuration of svgo, as plain data. `plugins` are the whole list, with svgo's own names; without it pixpress
 * chooses them for each document. A result that looks different from its source is never used.
 */
export interface SvgoConfig extends Pick<Config, 'multipass' | 'floatPrecision' | 'js2svg'> {
  plugins?: SvgoPlugin[]
}

type SvgoPlugin = Exclude<PluginConfig, CustomPlugin>

/** The configuration after validation: keys sorted, nothing undefined, nothing but plain data. */
export type ResolvedSvgoConfig = Readonly<SvgoConfig>

/** The names of svgo's plugins, without loading svgo: a build whose images are all in the cache never does. */
export const SVGO_PLUGINS: readonly string[] = [
  'preset-default',
  'addAttributesToSVGElement',
  'addClassesToSVGElement',
  'cleanupAttrs',
  'cleanupEnableBackground',
  'cleanupIds',
  'cleanupListOfValues',
  'cleanupNumericValues',
  'collapseGroups',
  'convertColors',
  'convertEllipseToCircle',
  'convertOneStopGradients',
  'convertPathData',
  'convertShapeToPath',
  'convertStyleToAttrs',
  'convertTransform',
  'inlineStyles',
  'mergePaths',
  'mergeStyles',
  'minifyStyles',
  'moveElemsAttrsToGroup',
  'moveGroupAttrsToElems',
  'prefixIds',
  'removeAttributesBySelector',
  'removeAttrs',
  'removeComments',
  'removeDeprecatedAttrs',
  'removeDesc',
  'removeDimensions',
  'removeDoctype',
  'removeEditorsNSData',
  'removeElementsByAttr',
  'removeEmptyAttrs',
  'removeEmptyContainers',
  'removeEmptyText',
  'removeHiddenElems',
  'removeMetadata',
  'removeNonInheritableGroupAttrs',
  'removeOffCanvasPaths',
  'removeRasterImages',
  'removeScripts',
  'removeStyleElement',
  'removeTitle',
  'removeUnknownsAndDefaults',
  'removeUnusedNS',
  'removeUselessDefs',
  'removeUselessStrokeAndFill',
  'removeViewBox',
  'removeXlink',
  'removeXMLNS',
  'removeXMLProcInst',
  'reusePaths',
  'sortAttrs',
  'sortDefsChildren',
]

const PLUGINS: Parser<SvgoPlugin[]> = {
  schema: {
    type: 'array',
    items: {
      anyOf: [
        { enum: SVGO_PLUGINS },
        {
          type: 'object',
          properties: { name: { enum: SVGO_PLUGINS }, params: { type: 'object' } },
          required: ['name'],
        },
      ],
    },
  },
  parse(value, option) {
    if (!Array.isArray(value)) throw invalidOption(option, 'a list', value)
    for (const [index, plugin] of (value as unknown[]).entries()) checkPlugin(plugin, `${option}[${index}]`)
    return value as SvgoPlugin[]
  },
}

function checkPlugin(plugin: unknown, option: string): void {
  const isObject = typeof plugin === 'object' && plugin !== null
  if (isObject && 'fn' in plugin) throw notData(`${option}.fn`, plugin.fn)
  const name: unknown = isObject && 'name' in plugin ? plugin.name : plugin
  if (typeof name === 'string' && SVGO_PLUGINS.includes(name)) return
  throw invalidOption(
    option,
    "the name of one of svgo's plugins, or { name, params }",
    plugin,
    suggestion(name, SVGO_PLUGINS),
  )
}

const SETTINGS: Parser<SvgoConfig> = record<SvgoConfig>({
  plugins: PLUGINS,
  multipass: FLAG,
  floatPrecision: whole(0, 20),
  js2svg: object(),
})

/**
 * Brings a configuration of svgo into one form, with the keys of every object sorted. `undefined` where nothing is
 * configured.
 */
export const SVGO: Parser<ResolvedSvgoConfig | undefined> = {
  schema: SETTINGS.schema,
  parse(value, option) {
    const resolved = canonical(option, SETTINGS.parse(value, option)) as ResolvedSvgoConfig
    return Object.keys(resolved).length === 0 ? undefined : resolved
  },
}

/** Levels of a configuration of svgo, whose own options have three. An object that contains itself has no end. */
const DEEPEST = 32

/** Returns a copy as plain data: it is part of the cache key, and is sent to threads. */
function canonical(option: string, value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) throw invalidOption(option, `at most ${DEEPEST} levels`, value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map((each, index) => canonical(`${option}[${index}]`, each, depth + 1))
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
  if (prototype !== Object.prototype && prototype !== null) throw notData(option, value)
  const entries = Object.entries(value as object).filter(([, each]) => each !== undefined)
  const sorted = entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, each]) => [key, canonical(`${option}.${key}`, each, depth + 1)]))
}

const notData = (option: string, value: unknown): Error =>
  invalidOption(option, 'plain data, as it is part of the cache key', value)

interface SvgoOperation {
  /** svgo's own configuration, for SVG alone: what is given takes the place of what pixpress would choose. */
  svgo?: SvgoConfig
}

interface ResolvedSvgo {
  /** Absent without settings, and in plans for other types than SVG. */
  readonly svgo?: ResolvedSvgoConfig
}

/** Configures svgo. */
export const svgo: Operation<SvgoOperation, ResolvedSvgoConfig | undefined, ResolvedSvgo> = {
  place: 9,
  parser: SVGO,
  // Absent where it is not given, so that keys without it stay.
  resolved: (config) => (config === undefined ? {} : { svgo: config }),
  shownDefault: 'none',
  doc: "svgo's own `plugins`, `multipass`, `floatPrecision` and `js2svg`, as plain data: functions and RegExps are refused. Given `plugins` take the place of [those chosen for each SVG](formats.md#svg)",
}
