import { FORMAT_NAMES, resolveOperations, typeOfWord } from '@pixpress/core/internal'
import type { Written } from '../script/literals.ts'
import type { Rule, Tool } from './tool.ts'

const leave =
  (why: string): Rule =>
  () => ({ leave: why })
const hand =
  (what: string): Rule =>
  () => ({ hand: what })

/** The same value under a name of ours. */
const as =
  (key: string): Rule =>
  ({ text }) => ({ take: text === key ? key : `${key}: ${text}` })

/** An option that is on unless it is turned off. */
const onUnlessOff =
  (key: string): Rule =>
  (value) =>
    value.literal === true ? { leave: ON_OWN } : as(key)(value)

/** Globs and regular expressions, which see the path of the source relative to the root, without a query. */
const pattern =
  (key: string): Rule =>
  (value) =>
    /\\\?|\?\*|\(\?!|=>|\bfunction\b/.test(value.text)
      ? { hand: `write '${key}' as globs or RegExps on the path relative to the root, without the query` }
      : as(key)(value)

const PROMISE = "'quality' is one promise for every type, and the setting is found for each image"
/** Says what keeps every pixel of the files of a glob, as settings of another tool do. */
const everyPixel = (glob: string): string =>
  `every pixel stays with 'overrides: [{ include: '${glob}', lossless: true }]' alone; without that, ${PROMISE}`

/** Settings of an encoder, of which `lossless: true` says more than how many bytes there are. */
const settings =
  (glob: string): Rule =>
  ({ text }) => ({ leave: /\blossless['"]?\s*:\s*true\b/.test(text) ? everyPixel(glob) : PROMISE })

const ON_OWN = 'it is so in any case'
const FILTER = "give 'include' and 'exclude'; an image that does not get smaller stays as it is"

/** Its globs see the query of an import, for which many end in `?*`. */
const globs =
  (key: string): Rule =>
  (value) => {
    const written: readonly unknown[] = Array.isArray(value.literal) ? value.literal : [value.literal]
    if (!written.every((each) => typeof each === 'string')) return pattern(key)(value)
    const read = [...new Set((written as readonly string[]).map((each) => each.replace(/\\?\?\*+$/, '')))]
    if (read.length === written.length && read.every((each) => written.includes(each))) return pattern(key)(value)
    const texts = read.map((each) => `'${each}'`)
    return { take: `${key}: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}` }
  }

const CACHE_OF_IMAGETOOLS: Rule = ({ entries }) => {
  const of = (key: string): Written | undefined => entries?.find((entry) => entry.key === key)?.value
  if (entries === undefined) return { hand: "give 'cache: false' or 'cache: { dir }'" }
  if (of('enabled')?.literal === false) return { take: 'cache: false' }
  const dir = of('dir')
  return dir === undefined
    ? { leave: 'the cache is on, and bounded by its size' }
    : { take: `cache: { dir: ${dir.text} }` }
}

/** A function sees the same URL, with words of the project's own, and less of an image than sharp's metadata. */
const DEFAULT_DIRECTIVES: Rule = (value) =>
  /\bmetadata\b/.test(value.text)
    ? { hand: "'metadata()' gives { type, width, height, hasAlpha, frames } here: 'type' is a MIME type" }
    : as('defaultDirectives')(value)

const imagetools: Tool = {
  packages: { 'vite-imagetools': 'imagetools' },
  bundler: 'vite',
  options: {
    include: globs('include'),
    exclude: globs('exclude'),
    defaultDirectives: DEFAULT_DIRECTIVES,
    removeMetadata: ({ literal }) =>
      literal === true
        ? { leave: ON_OWN }
        : literal === false
          ? { take: "preserve: ['copyright', 'creation', 'location']" }
          : { hand: "'preserve' names what of the metadata stays" },
    namedExports: as('namedExports'),
    extendTransforms: hand(
      'what a function makes of pixels has no name to be cached under: work on the file before the build',
    ),
    extendOutputFormats: hand("write 'outputs: { name: (images, keys) => value }' for 'as=name'"),
    resolveConfigs: hand("a preset, or a function as 'defaultDirectives', says the same"),
    cache: CACHE_OF_IMAGETOOLS,
  },
  added: ["compat: 'imagetools'"],
  types: ['Picture', 'Img'],
  companions: [],
}

/** A configuration of svgo goes on where it is plain data that is taken here; `true` is what happens in any case. */
const SVGO: Rule = ({ literal, text }) => {
  if (literal === true) return { leave: `SVG is optimised by SVGO, and ${ON_OWN}` }
  if (literal === false) return { hand: "give 'exclude: '**/*.svg'', which leaves SVG as it is" }
  if (typeof literal !== 'object' || literal === null || Object.keys(literal).length === 0)
    return { leave: 'SVG is optimised by SVGO with plugins that fit the drawing' }
  try {
    resolveOperations({ svgo: literal })
    return { take: `svgo: ${text}` }
  } catch {
    return { leave: "SVG is optimised by SVGO with plugins that fit the drawing; 'svgo' takes plain data of SVGO 4" }
  }
}

const imageOptimizer: Tool = {
  packages: { 'vite-plugin-image-optimizer': 'ViteImageOptimizer' },
  bundler: 'vite',
  options: {
    test: pattern('include'),
    include: pattern('include'),
    exclude: pattern('exclude'),
    includePublic: onUnlessOff('publicDir'),
    logStats: onUnlessOff('report'),
    ansiColors: leave('the variable NO_COLOR turns colours off'),
    ...Object.fromEntries(
      ['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif'].map((type) => [type, settings(`**/*.${type}`)]),
    ),
    tiff: leave('TIFF is only converted, and stays as it is without `convert`'),
    svg: SVGO,
    svgo: SVGO,
    // `false` is its default, which configurations repeat without the wish that every build does all work again.
    cache: leave("results are kept in the project's .cache/pixpress; 'cache: false' turns that off"),
    cacheLocation: leave("results are kept in the project's .cache/pixpress"),
  },
  companions: ['sharp', 'svgo'],
}

/** Formats that the query of image-minimizer-webpack-plugin names by the preset of a generator. */
const isFormat = (word: unknown): word is string =>
  typeof word === 'string' && (FORMAT_NAMES as readonly string[]).includes(word === 'jpg' ? 'jpeg' : word)

const GENERATOR: Rule = ({ items }) => {
  const presets = items?.map(({ entries }) => entries ?? [])
  const isPlain = presets?.every((entries) => {
    const of = (key: string): unknown => entries.find((entry) => entry.key === key)?.value.literal
    const isKnown = entries.every(({ key }) => /^(?:preset|type|implementation|options)$/.test(key))
    return isKnown && isFormat(of('preset')) && (of('type') === undefined || of('type') === 'import')
  })
  if (isPlain === true) return { leave: "'?format=webp' needs nothing to be declared" }
  return { hand: "declare sets of directives as 'presets', asked for by '?preset=name'; copied files keep their type" }
}

const imageMinimizer: Tool = {
  packages: { 'image-minimizer-webpack-plugin': 'default' },
  bundler: 'webpack',
  place: 'minimizer',
  options: {
    test: pattern('include'),
    include: pattern('include'),
    exclude: pattern('exclude'),
    minimizer: (value) =>
      /\b(?:resize|filter|filename)\b/.test(value.text)
        ? {
            hand: "'resize' is an option of pixpress, names are the rule's own, and a filter is 'include' or 'exclude'",
          }
        : settings('**/*')(value),
    generator: GENERATOR,
    severityError: ({ literal }) =>
      literal === 'off' || literal === 'warning' || literal === 'error'
        ? { take: `onError: '${literal === 'error' ? 'error' : 'warn'}'` }
        : { hand: "give 'onError: 'warn'' or 'onError: 'error''" },
    concurrency: as('concurrency'),
    deleteOriginalAssets: leave('only what is referred to is emitted'),
    // The loader on its own is in a rule, by another use of their import.
    loader: leave('the plugin adds its loader itself'),
  },
  companions: ['sharp', 'svgo', '@squoosh/lib', 'imagemin', 'imagemin-*'],
  query(parameters) {
    if (![...parameters.keys()].every((key) => /^(?:as|width|w|height|h|unit)$/.test(key))) return undefined
    if (!parameters.has('as') && !parameters.has('width') && !parameters.has('height')) return undefined
    if (parameters.has('unit') && parameters.get('unit') !== 'px') return { hand: 'give its size in pixels' }
    const format = parameters.get('as')
    if (format !== undefined && !isFormat(format)) return { hand: `'${format}' becomes a preset: '?preset=${format}'` }
    const names: Readonly<Record<string, string>> = { as: 'format', width: 'w', w: 'w', height: 'h', h: 'h' }
    return {
      parameters: [...parameters].flatMap(([key, value]) =>
        names[key] === undefined || value === 'auto' ? [] : [[names[key], value] as const],
      ),
    }
  },
}

const CONVERSION: Rule = ({ literal }) => {
  const pairs = Array.isArray(literal) ? (literal as readonly { from?: unknown; to?: unknown }[]) : []
  const [to, ...others] = new Set(pairs.map((pair) => pair.to))
  const type = typeof to === 'string' && others.length === 0 ? typeOfWord(to) : undefined
  const from = new Set(pairs.map((pair) => (pair.from === 'jpeg' ? 'jpg' : pair.from)))
  if (pairs.length === 0 && Array.isArray(literal)) return { leave: 'nothing is converted' }
  if (type !== undefined && from.has('jpg') && from.has('png')) return { take: `convert: { type: '${type}' }` }
  return { hand: "give 'convert', or 'overrides' with 'include' for some types only" }
}

const imagemin: Tool = {
  packages: {
    'unplugin-imagemin/vite': 'default',
    'unplugin-imagemin/rollup': 'default',
    'unplugin-imagemin/webpack': 'default',
    'unplugin-imagemin/esbuild': 'default',
    'vite-plugin-imagemin': 'default',
  },
  bundler: 'vite',
  options: {
    conversion: CONVERSION,
    compress: settings('**/*'),
    mode: leave('there is one engine'),
    beforeBundle: leave(ON_OWN),
    cache: onUnlessOff('cache'),
    cacheLocation: leave("results are kept in the project's .cache/pixpress"),
    ...Object.fromEntries(['gifsicle', 'mozjpeg', 'pngquant'].map((name) => [name, leave(PROMISE)])),
    optipng: leave(everyPixel('**/*.png')),
    jpegTran: leave(everyPixel('**/*.{jpg,jpeg}')),
    webp: settings('**/*.webp'),
    svgo: SVGO,
    verbose: onUnlessOff('report'),
    filter: (value) => (value.isRegex ? pattern('include')(value) : { hand: FILTER }),
    disable: hand("leave the plugin out: 'plugins: [production && pixpress()]'"),
  },
  companions: ['sharp', 'svgo', '@squoosh/lib', 'imagemin', 'imagemin-*'],
}

const KEY: Rule = ({ text, literal }) => ({ engine: `${Array.isArray(literal) ? 'keys' : 'key'}: ${text}` })

const tinify: Tool = {
  packages: {
    'tinypng-webpack-plugin': 'default',
    'webpack-tinypng-image-compress-plugin': 'default',
    'vue-tinypng-plugin': 'default',
    'unplugin-img-compress/vite': 'default',
    'unplugin-img-compress/webpack': 'default',
  },
  bundler: 'webpack',
  options: {
    key: KEY,
    APIKey: KEY,
    apiKey: KEY,
    keys: ({ text }) => ({ engine: `keys: ${text}` }),
    proxy: ({ text }) => ({ engine: `proxy: ${text}` }),
    ext: ({ literal }) => {
      const isList = Array.isArray(literal) && literal.every((each) => typeof each === 'string' && /^\w+$/.test(each))
      if (!isList || literal.length === 0) return { hand: "give 'include' as a glob: '**/*.{png,jpg}'" }
      return { take: `include: '**/*.${literal.length === 1 ? literal[0] : `{${literal.join(',')}}`}'` }
    },
    reg: pattern('include'),
    test: pattern('include'),
    exclude: pattern('exclude'),
    ...Object.fromEntries(
      ['relativePath', 'root', 'dir'].map((name) => [name, leave('what the build refers to is found')]),
    ),
    minSize: leave('an image that does not get smaller stays as it is'),
    concurrency: ({ text }) => ({ engine: `concurrency: ${text}` }),
    ...Object.fromEntries(
      ['cache', 'cacheDir', 'cachePath'].map((name) => [
        name,
        leave("results are kept in the project's .cache/pixpress"),
      ]),
    ),
    ...Object.fromEntries(
      ['use', 'compress', 'enable', 'disable', 'disabled'].map((name) => [
        name,
        hand("leave the plugin out where it is not to run: 'plugins: [production && pixpress()]'"),
      ]),
    ),
    config: hand("give 'resize: { method, width, height }'"),
    log: leave("'report' shows a table"),
    logLevel: leave("'report' shows a table"),
  },
  companions: ['tinify'],
}

/** Name of a tool, as the command takes it. */
export type ToolName = 'imagetools' | 'image-optimizer' | 'image-minimizer' | 'imagemin' | 'tinify'

/** Every tool, by the name the command takes. */
export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  imagetools,
  'image-optimizer': imageOptimizer,
  'image-minimizer': imageMinimizer,
  imagemin,
  tinify,
}
