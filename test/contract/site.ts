import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { carries } from './capabilities.ts'
import type { Bundler, ReferenceKind } from './capabilities.ts'

export const SITE: string = path.join(import.meta.dirname, '../fixtures/site')

/** One reference of the site and what has to become of it. */
export interface Expectation {
  readonly kind: ReferenceKind
  /** Where its value is found in the build. */
  readonly at:
    | { readonly script: string }
    | { readonly selector: string; readonly index?: number }
    | { readonly element: string; readonly attribute: string; readonly index?: number }
    | { readonly file: string }
  /** Relative to the site. */
  readonly source: string
  /** Default `processed`. */
  readonly becomes?: 'processed' | 'inlined' | 'original' | 'text'
  /** Icons, social cards, public files, images with a declared type and those beside one keep their type. */
  readonly keepsType?: true
}

const image = (name: string): string => `src/images/${name}`

const script = (kind: ReferenceKind, name: string, file: string, becomes?: Expectation['becomes']): Expectation => ({
  kind,
  at: { script: name },
  source: image(file),
  ...(becomes !== undefined && { becomes }),
})

const css = (kind: ReferenceKind, selector: string, file: string, index = 0): Expectation => ({
  kind,
  at: { selector, index },
  source: image(file),
})

const html = (kind: ReferenceKind, element: string, attribute: string, file: string, index = 0): Expectation => ({
  kind,
  at: { element, attribute, index },
  source: image(file),
})

const EXPECTATIONS: readonly Expectation[] = [
  script('js-import', 'photo', 'photo.jpg'),
  script('js-import', 'phone', 'phone.jpeg'),
  script('js-import', 'cat', 'cat.png'),
  script('js-import', 'logo', 'logo.png'),
  script('js-import', 'screenshot', 'screenshot.png'),
  script('js-import', 'rocket', 'rocket.webp'),
  script('js-import', 'seeding', 'seeding.avif'),
  script('js-import', 'spinnerGif', 'spinner.gif'),
  script('js-import', 'spinnerWebp', 'spinner.webp'),
  script('js-import', 'scene', 'scene.svg'),
  script('js-import', 'twinPng', 'twin.png'),
  script('js-import', 'twinJpg', 'twin.jpg'),
  script('js-import', 'whiteSpace', 'white space.png'),
  script('js-dynamic-import', 'emoji', 'emoji.png'),
  script('js-url', 'emoji', 'emoji.png'),
  script('js-inline', 'favicon', 'favicon.png', 'inlined'),
  script('js-raw', 'scene', 'scene.svg', 'text'),
  script('js-original', 'cat', 'cat.png', 'original'),
  script('new-url', 'logo', 'logo.png'),
  script('new-url', 'twinJpg', 'twin.jpg'),
  script('glob', 'astronaut', 'gallery/astronaut.png'),
  script('glob', 'raccoon', 'gallery/raccoon.jpg'),
  css('css-url', '.css-url-cat', 'cat.png'),
  css('css-url', '.css-url-scene', 'scene.svg'),
  css('css-url', '.css-url-spinner', 'spinner.webp'),
  css('css-url', '.css-url-space', 'white space.png'),
  css('css-import', '.css-import-photo', 'photo.jpg'),
  css('css-image-set', '.css-image-set-twins', 'twin.png', 0),
  css('css-image-set', '.css-image-set-twins', 'twin.jpg', 1),
  { ...css('css-image-set', '.css-image-set-typed', 'screenshot.png', 0), keepsType: true },
  css('css-image-set', '.css-image-set-typed', 'photo.jpg', 1),
  css('css-image-set-string', '.css-image-set-string-pair', 'cat.png', 0),
  css('css-image-set-string', '.css-image-set-string-pair', 'photo.jpg', 1),
  html('html-img', 'img-screenshot', 'src', 'screenshot.png'),
  html('html-img', 'img-space', 'src', 'white space.png'),
  html('html-srcset', 'srcset-img', 'src', 'cat.png'),
  html('html-srcset', 'srcset-img', 'srcset', 'cat.png', 0),
  html('html-srcset', 'srcset-img', 'srcset', 'photo.jpg', 1),
  { ...html('html-srcset', 'srcset-source', 'srcset', 'rocket.webp', 0), keepsType: true },
  { ...html('html-srcset', 'srcset-source', 'srcset', 'twin.jpg', 1), keepsType: true },
  { ...html('html-srcset', 'srcset-typed', 'srcset', 'seeding.avif'), keepsType: true },
  { ...html('html-srcset', 'srcset-fallback', 'src', 'twin.jpg'), keepsType: true },
  { ...html('html-icon', 'icon', 'href', 'favicon.png'), keepsType: true },
  { ...html('html-meta', 'og', 'content', 'social.png'), keepsType: true },
  html('html-poster', 'poster', 'poster', 'emoji.png'),
  html('html-style-attribute', 'styled', 'style', 'logo.png'),
  css('html-style-element', '.html-style-element', 'twin.png'),
  { kind: 'public', at: { file: 'banner.png' }, source: 'public/banner.png', keepsType: true },
  { kind: 'public', at: { file: 'media/cat.jpg' }, source: 'public/media/cat.jpg', keepsType: true },
]

/** The directives of `parts/js-directives.js`: what makes an image of its own, as text that is equal for equal work. */
export const DIRECTIVE_VARIANTS: readonly string[] = [
  'photo.jpg 120',
  'photo.jpg 80 webp',
  'photo.jpg 160 webp',
  'photo.jpg 80',
  'photo.jpg 160',
  'photo.jpg 80 avif',
  'photo.jpg 160 avif',
  'photo.jpg 80 jpeg',
  'photo.jpg 160 jpeg',
  'logo.png 100',
  'cat.png 60x60',
  'cat.png 90 webp',
]

/** Options that the site needs in every build. */
export const SITE_PRESETS = { card: { w: 90, format: 'webp' } } as const

/** Bundlers whose pages are templates, to which html-webpack-plugin or the bundler adds the entry script. */
export const ADDS_SCRIPT: ReadonlySet<Bundler> = new Set(['webpack', 'rspack', 'rsbuild'])

export interface ComposedSite {
  /** Path → contents: what the bundler's variant of the site consists of. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly kinds: readonly ReferenceKind[]
  readonly expectations: readonly Expectation[]
}

const GLOB_PARTS: Readonly<Partial<Record<Bundler, string>>> = {
  vite: 'glob.import-meta-glob.js',
  webpack: 'glob.webpack-context.js',
  rspack: 'glob.webpack-context.js',
  rsbuild: 'glob.webpack-context.js',
  esbuild: 'glob.dynamic-import.js',
}

/**
 * The site as this bundler gets it: one page, one entry and one stylesheet, put together from the parts for the kinds
 * of references that it can carry.
 */
export function composeSite(bundler: Bundler): ComposedSite {
  const expectations = EXPECTATIONS.filter(({ kind }) => carries(bundler, kind))
  const kinds = [
    ...new Set(expectations.map(({ kind }) => kind)),
    ...(carries(bundler, 'js-directives') ? ['js-directives' as const] : []),
  ]
  const parts = kinds.filter((kind) => partOf(bundler, kind) !== undefined)
  const sheets = kinds.filter((kind) => kind.startsWith('css-'))
  const snippets = kinds.filter((kind) => kind.startsWith('html-'))
  const files: Record<string, string | Uint8Array> = {
    ...imagesOf('src/images'),
    ...(carries(bundler, 'public') && imagesOf('public')),
    'src/main.js': [
      ...sheets.map((kind) => `import './css/${kind}.css'`),
      ...parts.map((kind) => `import * as ${variable(kind)} from './parts/${partOf(bundler, kind)}'`),
      `globalThis.site = { ${parts.map((kind) => `'${kind}': { ...${variable(kind)} }`).join(', ')} }`,
      '',
    ].join('\n'),
    ...(snippets.length > 0 && { 'index.html': page(bundler, snippets) }),
    'src/render.js': fixture('src/render.js'),
    'src/css/nested/imported.css': fixture('src/css/nested/imported.css'),
  }
  for (const kind of parts) files[`src/parts/${partOf(bundler, kind)}`] = fixture(`src/parts/${partOf(bundler, kind)}`)
  for (const kind of sheets) files[`src/css/${kind}.css`] = fixture(`src/css/${kind}.css`)
  return { files, kinds, expectations }
}

function partOf(bundler: Bundler, kind: ReferenceKind): string | undefined {
  if (kind === 'glob') return GLOB_PARTS[bundler]
  return kind.startsWith('js-') || kind === 'new-url' ? `${kind}.js` : undefined
}

function page(bundler: Bundler, kinds: readonly ReferenceKind[]): string {
  const inHead = kinds.filter((kind) => ['html-icon', 'html-meta', 'html-style-element'].includes(kind))
  const inBody = kinds.filter((kind) => !inHead.includes(kind))
  const entry = ADDS_SCRIPT.has(bundler) ? '' : '<script type="module" src="./src/main.js"></script>\n'
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />\n<title>Site</title>\n',
    ...inHead.map(snippet),
    '</head>\n<body>\n',
    ...inBody.map(snippet),
    `${entry}</body>\n</html>\n`,
  ].join('')
}

const snippet = (kind: ReferenceKind): string => fixture(`html/${kind}.html`)

const variable = (kind: ReferenceKind): string => kind.replaceAll('-', '_')

const fixture = (file: string): string => readFileSync(path.join(SITE, file), 'utf8')

function imagesOf(folder: string): Record<string, Uint8Array> {
  const entries = readdirSync(path.join(SITE, folder), { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(SITE, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .map((file) => [file, readFileSync(path.join(SITE, file))]),
  )
}
