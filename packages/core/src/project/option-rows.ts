import type { RemoteOptions } from '../engines/remote/options.ts'
import { PixpressError, invalidOption } from '../base/errors.ts'
import { BUDGETS } from './budgets.ts'
import { DURATION } from '../options/duration.ts'
import { PROJECT_CONVERT } from '../operations/convert.ts'
import type { AutoConvert, ConvertOptions } from '../operations/convert.ts'
import { OPERATIONS } from '../operations/index.ts'
import type { Operations } from '../operations/index.ts'
import { PATTERNS } from './patterns.ts'
import { FLAG, flagOr, object, oneOf, plainObject, record, text } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import type { DefaultedRow, OptionRow } from '../options/row.ts'
import { refuseUnknownKeys } from '../options/unknown-key.ts'
import { CACHE_SETTINGS, OPTIMIZER_OPTIONS } from '../optimizer/options.ts'
import { PLACEHOLDER_KINDS } from '../placeholder/kinds.ts'
import type { ImageStoreOptions } from '../objects/image-store-options.ts'
import type { Defaulted, Override, ProjectOptions } from './options.ts'

type OwnOptions = Omit<ProjectOptions, keyof Operations> & {
  convert?: ConvertOptions | AutoConvert
  /** An option of the adapters that have no URLs of their own. */
  publicPath?: string
}

type OwnRows = {
  readonly [Key in keyof OwnOptions]-?: Key extends Defaulted
    ? DefaultedRow<NonNullable<OwnOptions[Key]>>
    : OptionRow<Key extends 'convert' ? unknown : NonNullable<OwnOptions[Key]>>
}

/** The parsers of operations in a project. */
const OPERATION_PARSERS: Readonly<Record<string, Parser<unknown>>> = {
  ...Object.fromEntries(Object.entries(OPERATIONS).map(([key, { parser }]) => [key, parser])),
  convert: PROJECT_CONVERT,
}

const LOCK_PATH = text('true, false or a path')

const FALLBACKS = oneOf(['auto', 'picture'])

const OVERRIDE: Parser<Override> = {
  schema: {
    type: 'object',
    properties: {
      include: PATTERNS.schema,
      exclude: PATTERNS.schema,
      ...Object.fromEntries(Object.entries(OPERATION_PARSERS).map(([key, { schema }]) => [key, schema])),
    },
    required: ['include'],
    additionalProperties: false,
  },
  parse(value, option) {
    const { include, exclude, ...operations } = plainObject(option, value)
    PATTERNS.parse(include, `${option}.include`)
    if (exclude !== undefined) PATTERNS.parse(exclude, `${option}.exclude`)
    refuseUnknownKeys(option, operations, ['include', 'exclude', ...Object.keys(OPERATIONS)])
    for (const [key, each] of Object.entries(operations)) {
      if (each !== undefined) OPERATION_PARSERS[key]!.parse(each, `${option}.${key}`)
    }
    return value as Override
  },
}

const OWN: OwnRows = {
  convert: {
    ...OPERATIONS.convert,
    parser: PROJECT_CONVERT,
    doc: `\`'auto'\`: [AVIF and WebP, each image's own type as fallback](convert.md) (not for the command). ${OPERATIONS.convert.doc}`,
  },
  fallback: {
    parser: {
      schema: { enum: ['auto', 'picture', false] },
      parse: (value, option) => (value === false ? false : FALLBACKS.parse(value, option)),
    },
    shownDefault: "`'auto'` with `convert: 'auto'`, else `false`",
    doc: "[how converted images are offered](convert.md): `'auto'`, `'picture'` (pages and stylesheets alone), or `false`: the new type alone, everywhere",
  },
  root: {
    parser: text('a path'),
    shownDefault: "the bundler's root",
    doc: "folder that `include`, `exclude` and the report's paths are relative to",
  },
  include: {
    parser: PATTERNS,
    shownDefault: 'every image, by its extension',
    doc: 'images to work on: a glob, a RegExp (not for the command), or a list, on the path relative to the root',
  },
  exclude: { parser: PATTERNS, shownDefault: 'none', doc: 'images to leave alone' },
  overrides: {
    parser: {
      schema: { type: 'array', items: OVERRIDE.schema },
      parse(value, option) {
        if (!Array.isArray(value)) throw invalidOption(option, 'a list of objects', value)
        return value.map((each, index) => OVERRIDE.parse(each, `${option}[${index}]`))
      },
    },
    shownDefault: 'none',
    doc: 'operations of some images: `[{ include, exclude, … }]` with the operations of this table, over those of all. In the command, flags are above them',
  },
  convertIcons: {
    parser: FLAG,
    default: () => false,
    shownDefault: '`false`',
    doc: 'converts icons and social cards (`og:image`, `twitter:image`) as well',
  },
  dimensions: {
    parser: FLAG,
    default: () => true,
    shownDefault: '`true`',
    doc: 'pages that offer several types say [the proportions](convert.md#proportions) of each `<img>` without `width` and `height`, so that nothing moves when it arrives',
  },
  presets: {
    parser: object(),
    default: () => ({}),
    shownDefault: '`{}`',
    doc: 'named sets of [directives](directives.md) for `?preset=name`',
  },
  defaultDirectives: {
    parser: {
      schema: { type: 'object' },
      parse(value, option) {
        if (typeof value === 'function' || (typeof value === 'object' && value !== null)) return value
        throw invalidOption(option, 'an object, URLSearchParams or a function', value)
      },
    },
    shownDefault: 'none',
    doc: '[directives](directives.md#defaults) of imports that say none of the same name, also without a query: an object, `URLSearchParams`, or a function `(url, metadata)`',
  },
  outputs: {
    parser: object(),
    default: () => ({}),
    shownDefault: '`{}`',
    doc: "[outputs of the project's own](directives.md#outputs-of-your-own) for `as=name`: `{ name: (images, keys) => value }`",
  },
  namedExports: {
    parser: FLAG,
    default: () => true,
    shownDefault: '`true`',
    doc: 'modules of objects export their members by name too, beside the default export',
  },
  compat: {
    parser: {
      schema: { enum: ['imagetools', false] },
      parse: (value, option) => (value === false ? value : oneOf(['imagetools']).parse(value, option)),
    },
    shownDefault: '`false`',
    doc: "`'imagetools'`: in queries, a number as `quality` is the encoder's setting, `effort` its effort, and sizes, crops and lost transparency are [as in imagetools](migrating-from-vite-imagetools.md); without it `quality=80` is the score to keep, also beside `effort` and `progressive`",
  },
  lqip: {
    parser: oneOf(PLACEHOLDER_KINDS),
    shownDefault: 'none',
    doc: '[a placeholder](placeholders.md) in imports with `as=img` and `as=picture`: `thumbhash`, `blurhash`, `blur` or `color`',
  },
  types: {
    parser: text('a path'),
    shownDefault: 'none',
    doc: "[exact types](types.md) of every image import with a query are kept in this file: `'src/pixpress.d.ts'`",
  },
  publicDir: {
    parser: FLAG,
    default: () => true,
    shownDefault: '`true`',
    doc: 'compresses copied files (`public/`) in the output folder, in their own type',
  },
  firstBuild: {
    parser: DURATION,
    shownDefault: 'no bound',
    doc: "[time for the full effort](first-build.md) in a build without a cache, as `'5s'`; with `effort: 'auto'`, what does not fit becomes a draft, which the lock names (not for the command, which makes no drafts)",
  },
  cache: {
    parser: flagOr(CACHE_SETTINGS),
    default: () => true,
    shownDefault: '`true`',
    doc: "[results between runs](cache.md): `true` is the project's `.cache/pixpress`; `{ dir, maxSize }` another folder; `remote` a bucket or server behind it, `{ service: 's3' | 'http', … }`; `mode` `'readwrite'`, `'read'` or `'frozen'`; `false` keeps results for one run",
    flags: {
      'cache-dir': {
        value: 'DIR',
        description: "where results are kept (default: `.cache/pixpress` of the project, else the user's cache folder)",
      },
      'no-cache': { description: 'keeps no results' },
    },
  },
  lock: {
    parser: {
      schema: { anyOf: [FLAG.schema, LOCK_PATH.schema] },
      parse: (value, option) => (typeof value === 'boolean' ? value : LOCK_PATH.parse(value, option)),
    },
    shownDefault: '`pixpress.lock`, where it is there',
    doc: "[which result each image has](lock.md): `true` keeps `pixpress.lock` in the project's folder, a path another file; `false`: none",
  },
  report: {
    parser: flagOr(
      record<{ json?: string; html?: string; baseline?: boolean }>({
        json: text('a path'),
        html: text('a path'),
        baseline: FLAG,
      }),
    ),
    default: () => true,
    shownDefault: '`true`',
    doc: "the table at the end of a build; `{ json: 'file' }` also writes [data](report.md), `{ html: 'file' }` [a page](report.md#as-a-page), `{ baseline: true }` compares with [what would have been shipped without it](report.md#compared-with-what-would-have-been-shipped)",
    flags: { html: { value: 'FILE', description: 'also writes the report as [a page](report.md#as-a-page)' } },
  },
  budgets: {
    parser: BUDGETS,
    shownDefault: 'none',
    doc: "[bytes that images may have](check.md#budgets): `[{ include, exclude, image: '200 kB', total: '2 MB', growth: '5%' }, { page: '1 MB' }]`; builds warn, and fail with `onError: 'error'`",
  },
  onError: {
    parser: oneOf(['warn', 'error']),
    default: () => 'warn',
    shownDefault: "`'warn'`",
    doc: "`'warn'` names a damaged image and keeps it as it is; `'error'` fails the build. Where nothing is given, an image that takes longer than `limits.timeout` fails it too",
  },
  concurrency: {
    // The optimizer decides where nothing is given.
    ...OPTIMIZER_OPTIONS.concurrency,
    default: () => undefined,
    flags: {
      concurrency: {
        value: 'N',
        short: 'j',
        description: 'images worked on at once (default: the processors this process may use)',
      },
    },
  },
  limits: { ...OPTIMIZER_OPTIONS.limits, default: () => undefined },
  engine: {
    parser: {
      schema: { anyOf: [{ const: 'local' }, { type: 'object' }] },
      parse(value, option) {
        if (value === 'local' || (typeof value === 'object' && value !== null)) return value as 'local' | RemoteOptions
        throw invalidOption(option, "'local' or an object", value)
      },
    },
    default: () => 'local',
    shownDefault: "`'local'`",
    doc: 'where images are worked on: this machine, or [a service](remote.md) `{ endpoint, key }`, of one address or several',
    flags: {
      engine: {
        value: 'URL[,URL…]',
        description:
          '[a service](remote.md) instead of this machine, or several addresses of one; `local` overrules the configuration',
        choices: ['local'],
      },
      key: {
        value: 'KEY',
        description: "the service's API key; better in the variable, which others on the machine cannot see",
        variable: 'PIXPRESS_KEY',
      },
    },
  },
  store: {
    parser: {
      schema: { type: 'object' },
      parse(value, option) {
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ImageStoreOptions
        // The value is not shown, as it may be a credential.
        throw new PixpressError('INVALID_OPTION', `Expected an object for '${option}'.`)
      },
    },
    shownDefault: 'none',
    doc: 'builds put their images [into object storage](stores.md) and refer to them there',
    flags: {
      store: {
        description: "puts every result into [the configuration's `store`](stores.md) as well, and prints its URL",
      },
    },
  },
  publicPath: {
    parser: text('a URL or a path'),
    shownDefault: 'none',
    doc: 'what stands before the names of images, for formats that have no `import.meta`',
    bundlers: ['rollup', 'rolldown'],
  },
}

/** Every option of the plugin and of the configuration file. */
export const PROJECT_OPTIONS: OwnRows & { readonly [Key in keyof Operations]-?: OptionRow<unknown> } = {
  ...OPERATIONS,
  ...OWN,
}
