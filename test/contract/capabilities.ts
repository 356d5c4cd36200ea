import type * as bundlers from '../../packages/unplugin/src/bundlers/index.ts'

/** The bundlers with an adapter: one entry of `unplugin-pixpress` each. */
export type Bundler = keyof typeof bundlers

/** The ways in which a site refers to an image. `docs/bundlers.md` has a row for each. */
export const REFERENCE_KINDS = {
  'js-import': "`import x from './a.png'`",
  'js-dynamic-import': "`import('./a.png')`",
  'js-directives': "`import x from './a.jpg?w=400;800&format=avif;webp&as=picture'`",
  'js-url': "`import x from './a.png?url'`",
  'js-inline': "`import x from './a.png?inline'`",
  'js-raw': "`import x from './a.svg?raw'`",
  'js-original': "`import x from './a.png?original'`",
  'new-url': "`new URL('./a.png', import.meta.url)`",
  glob: '`import.meta.glob`, `import.meta.webpackContext`, `import()` with an expression',
  'css-url': '`url()` in CSS',
  'css-import': '`url()` in a stylesheet that is `@import`ed',
  'css-image-set': '`image-set(url(…) …)`',
  'css-image-set-string': '`image-set("a.png" …)`',
  'html-img': '`<img src>`',
  'html-srcset': '`<img srcset>`, `<source srcset>`',
  'html-icon': '`<link rel="icon">`',
  'html-meta': '`<meta property="og:image">`',
  'html-poster': '`<video poster>`',
  'html-style-attribute': '`url()` in a `style` attribute',
  'html-style-element': '`url()` in a `<style>` element',
  public: 'files that are copied as they are (`public/`)',
} as const

export type ReferenceKind = keyof typeof REFERENCE_KINDS

/**
 * `true` where every test of the contract holds; else why the bundler cannot carry it: then the reference is left
 * alone.
 */
export type Capabilities = Record<Bundler, Record<ReferenceKind, true | string>>

const NO_RAW = 'the bundler has no ?raw'
const NO_HTML = 'the bundler does not process HTML'
const NO_CSS = 'the bundler does not process CSS'
const NO_PUBLIC = 'the bundler copies no files'
const ROLLUP_CSS = 'CSS is the work of another plugin there: give it unplugin-pixpress/postcss'
const HTML_LOADER = 'the loader of HTML, html-loader, does not look there'

const everyHtml = (reason: string): Record<Extract<ReferenceKind, `html-${string}`>, string> => ({
  'html-img': reason,
  'html-srcset': reason,
  'html-icon': reason,
  'html-meta': reason,
  'html-poster': reason,
  'html-style-attribute': reason,
  'html-style-element': reason,
})

const everyCss = (reason: string): Record<Extract<ReferenceKind, `css-${string}`>, string> => ({
  'css-url': reason,
  'css-import': reason,
  'css-image-set': reason,
  'css-image-set-string': reason,
})

const EVERYTHING: Record<ReferenceKind, true> = {
  'js-import': true,
  'js-dynamic-import': true,
  'js-directives': true,
  'js-url': true,
  'js-inline': true,
  'js-raw': true,
  'js-original': true,
  'new-url': true,
  glob: true,
  'css-url': true,
  'css-import': true,
  'css-image-set': true,
  'css-image-set-string': true,
  'html-img': true,
  'html-srcset': true,
  'html-icon': true,
  'html-meta': true,
  'html-poster': true,
  'html-style-attribute': true,
  'html-style-element': true,
  public: true,
}

export const CAPABILITIES = {
  vite: EVERYTHING,
  webpack: { ...EVERYTHING, 'html-style-attribute': HTML_LOADER, 'html-style-element': HTML_LOADER },
  rspack: { ...EVERYTHING, 'html-style-attribute': HTML_LOADER, 'html-style-element': HTML_LOADER },
  rsbuild: { ...EVERYTHING, 'html-style-attribute': HTML_LOADER, 'html-style-element': HTML_LOADER },
  rollup: {
    ...EVERYTHING,
    'js-raw': NO_RAW,
    glob: 'the bundler has no glob imports',
    ...everyCss(ROLLUP_CSS),
    ...everyHtml(NO_HTML),
    public: NO_PUBLIC,
  },
  rolldown: {
    ...EVERYTHING,
    'js-raw': NO_RAW,
    glob: 'the bundler has no glob imports',
    ...everyCss(NO_CSS),
    ...everyHtml(NO_HTML),
    public: NO_PUBLIC,
  },
  esbuild: {
    ...EVERYTHING,
    'js-raw': NO_RAW,
    'css-image-set-string': 'the bundler does not see strings in image-set()',
    ...everyHtml(NO_HTML),
    public: NO_PUBLIC,
  },
  bun: {
    ...EVERYTHING,
    'js-raw': NO_RAW,
    glob: 'the bundler has no glob imports',
    'html-srcset': 'the bundler fails on srcset',
    'html-meta': 'the bundler does not look there',
    'html-style-attribute': 'the bundler does not look there',
    'html-style-element': 'the bundler does not look there',
    public: NO_PUBLIC,
  },
} satisfies Capabilities

/** In the order of the table in `docs/bundlers.md`. */
export const BUNDLERS: readonly Bundler[] = Object.keys(CAPABILITIES) as Bundler[]

/** Tells whether the contract holds for this kind of reference. */
export function carries(bundler: Bundler, kind: ReferenceKind): boolean {
  const row: Record<ReferenceKind, true | string> = CAPABILITIES[bundler]
  return row[kind] === true
}

/**
 * `true` where the contract's tests hold; what is needed for that, which the bundler's own tests hold; else why not.
 */
export type Offering = true | { readonly needs: string } | string

/** Texts whose pictures in data URLs are compressed. `docs/formats.md` has a row for each. */
export const INSIDE_PLACES = {
  stylesheet: 'stylesheets',
  page: 'pages',
  json: 'modules of JSON',
} as const

export type InsidePlace = keyof typeof INSIDE_PLACES

const INSIDE = { stylesheet: true, page: true, json: true } as const
const POSTCSS_INSIDE = { needs: 'CSS is the work of a plugin there, with `unplugin-pixpress/postcss` in it' }

/** Where pictures in data URLs are compressed. `docs/formats.md` has the table. */
export const INSIDES: Readonly<Record<Bundler, Readonly<Record<InsidePlace, Offering>>>> = {
  vite: INSIDE,
  webpack: INSIDE,
  rspack: INSIDE,
  rsbuild: INSIDE,
  rollup: { stylesheet: POSTCSS_INSIDE, page: NO_HTML, json: true },
  rolldown: { stylesheet: POSTCSS_INSIDE, page: NO_HTML, json: true },
  esbuild: { ...INSIDE, page: NO_HTML },
  bun: INSIDE,
}

/** Tells whether the contract holds for pictures inside of a text. */
export const lightens = (bundler: Bundler, place: InsidePlace): boolean => INSIDES[bundler][place] === true
