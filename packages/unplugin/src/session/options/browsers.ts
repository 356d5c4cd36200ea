import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { ImageType } from '@pixpress/core'
import { EVERYWHERE_TYPES, factsOf } from '@pixpress/core/internal'

/**
 * The first version of each browser that reads a type, by the names of browserslist; `true` for browsers of one,
 * current version. From caniuse's `avif`, `webp` and `jpegxl` (November 2026); versions with a remark there (Safari 14
 * reads WebP on macOS 11 alone, Safari 16.1 no animated AVIF) count as not reading it, but Safari reads JPEG XL: it
 * lacks animation alone, which is never written. A browser that is not listed reads none of them.
 */
const FIRST: Readonly<Partial<Record<ImageType, Readonly<Record<string, number | true>>>>> = {
  'image/jxl': {
    chrome: 155,
    firefox: 158,
    safari: 17,
    ios_saf: 17,
    opera: 139,
    and_chr: true,
    and_ff: true,
    android: 155,
  },
  'image/avif': {
    chrome: 85,
    edge: 121,
    firefox: 93,
    safari: 16.4,
    ios_saf: 16.4,
    opera: 71,
    samsung: 20,
    op_mob: 80,
    and_chr: true,
    and_ff: true,
    android: 85,
  },
  'image/webp': {
    chrome: 32,
    edge: 18,
    firefox: 65,
    safari: 16,
    ios_saf: 14,
    opera: 19,
    samsung: 4,
    op_mob: 12,
    and_chr: true,
    and_ff: true,
    and_uc: true,
    android: 32,
    op_mini: true,
    and_qq: true,
    baidu: true,
    kaios: 3,
  },
}

/**
 * Versions that read a type on some systems, and on which: caniuse's notes to them. The targets of a bundler say what
 * scripts are compiled to and name the oldest version of a browser that is meant, so these count there; in a
 * browserslist, which says who is to be served, they do not.
 */
const FIRST_IN_PART: Readonly<Partial<Record<ImageType, Readonly<Record<string, PartialSupport>>>>> = {
  'image/webp': { safari: { version: 14, where: 'from macOS 11 on' } },
}

interface PartialSupport {
  readonly version: number
  readonly where: string
}

/** The same of `:where()`, from MDN's `css.selectors.where` (November 2026). */
const FIRST_WITH_WHERE: Readonly<Record<string, number | true>> = {
  chrome: 88,
  edge: 88,
  firefox: 78,
  safari: 14,
  ios_saf: 14,
  opera: 74,
  samsung: 15,
  op_mob: 63,
  and_chr: true,
  and_ff: true,
  android: 88,
  and_uc: true,
  and_qq: true,
  baidu: true,
  kaios: 3,
}

/** Holds what esbuild's targets call browsers, and browserslist. */
const ESBUILD_NAMES: Readonly<Record<string, string>> = {
  chrome: 'chrome',
  edge: 'edge',
  firefox: 'firefox',
  ios: 'ios_saf',
  opera: 'opera',
  safari: 'safari',
  ie: 'ie',
}

/** A browser and its version, as browserslist writes them: `chrome 107`, `ios_saf 16.4-16.5`. */
export type Browser = string

/** Where the browsers are named: in a browserslist, or in a bundler's targets. */
export type BrowserSource = 'browserslist' | 'targets'

/**
 * Those of the types that every one of the browsers reads, in their order.
 * @param browsers none: nothing is known of who reads the images, so no type is sure
 */
export function typesForAll(
  types: readonly ImageType[],
  browsers: readonly Browser[],
  source: BrowserSource = 'browserslist',
): readonly ImageType[] {
  return browsers.length === 0 ? [] : types.filter((type) => standingAgainst(type, browsers, source).length === 0)
}

/** The browsers that do not read a type, in their order. */
export function standingAgainst(
  type: ImageType,
  browsers: readonly Browser[],
  source: BrowserSource = 'browserslist',
): readonly Browser[] {
  return browsers.filter((browser) => !reads(browser, type) && !(source === 'targets' && readsInPart(browser, type)))
}

function reads(browser: Browser, type: ImageType): boolean {
  if (EVERYWHERE_TYPES.has(type)) return true
  return isSince(browser, FIRST[type] ?? {})
}

function readsInPart(browser: Browser, type: ImageType): boolean {
  const versions = Object.entries(FIRST_IN_PART[type] ?? {}).map(([name, { version }]) => [name, version] as const)
  return isSince(browser, Object.fromEntries(versions))
}

/** Describes what scripts' images are kept from, and by whom. */
export interface Standing {
  readonly type: ImageType
  readonly browsers: readonly Browser[]
  /** The text that lets the type through: of a browserslist's queries, or a bundler's targets. */
  readonly line: string
}

/**
 * The first type that not every browser reads, with the line that changes it. In a browserslist it leaves those
 * browsers out, in targets it raises them to their first version that reads it.
 * @param targets as the bundler has them, for `targets`
 * @returns `undefined` where all of them read all types, or nothing is known of browsers
 */
export function standingIn(
  types: readonly ImageType[],
  browsers: readonly Browser[],
  targets?: readonly string[],
): Standing | undefined {
  const source = targets === undefined ? 'browserslist' : 'targets'
  const blocked = types.findLast((type) => standingAgainst(type, browsers, source).length > 0)
  if (blocked === undefined) return undefined
  const against = standingAgainst(blocked, browsers, source)
  const first = FIRST[blocked] ?? {}
  if (targets === undefined) {
    const names = [...new Set(against.map((browser) => browser.split(' ')[0]!))]
    const queries = names.map((name) => {
      const version = first[name]
      return typeof version === 'number' ? `not ${name} < ${version}` : `not ${name} > 0`
    })
    return { type: blocked, browsers: against, line: queries.join(', ') }
  }
  const raised = targets.flatMap((target) => {
    const [browser] = browsersOfTargets([target])
    if (browser === undefined || !against.includes(browser)) return [target]
    const version = first[browser.split(' ')[0]!]
    return version === undefined ? [] : [`${/^[a-z]+/i.exec(target)![0]}${version}`]
  })
  return { type: blocked, browsers: against, line: `[${raised.map((target) => `'${target}'`).join(', ')}]` }
}

/** The browsers that read a type on some systems alone, as sentences. */
export function partialReaders(type: ImageType, browsers: readonly Browser[]): readonly string[] {
  return browsers.flatMap((browser) => {
    if (reads(browser, type) || !readsInPart(browser, type)) return []
    return [`${browser} shows ${factsOf(type).label} ${FIRST_IN_PART[type]![browser.split(' ')[0]!]!.where}`]
  })
}

/**
 * Tells whether no browser of these drops a rule for having `:where()` in its selector: none do where none are known.
 */
export function allKnowWhere(browsers: readonly Browser[]): boolean {
  return browsers.every((browser) => isSince(browser, FIRST_WITH_WHERE))
}

function isSince(browser: Browser, versions: Readonly<Record<string, number | true>>): boolean {
  const [name = '', version = ''] = browser.toLowerCase().split(' ')
  const first = versions[name]
  if (first === undefined) return false
  // The lowest version of a range counts. Previews (`safari TP`) and `all` are of today.
  const lowest = Number.parseFloat(version)
  return first === true || Number.isNaN(lowest) || lowest >= first
}

/**
 * The browsers of a bundler's targets such as `chrome107`; those of languages (`es2020`, `node20`) tell of no browser.
 * @returns empty where a target tells of none
 */
export function browsersOfTargets(targets: readonly string[]): readonly Browser[] {
  return targets.flatMap((target) => {
    const [, name = '', version = ''] = /^([a-z]+)(\d[\d.]*)$/.exec(target.trim().toLowerCase()) ?? []
    const browser = ESBUILD_NAMES[name]
    return browser === undefined ? [] : [`${browser} ${version}`]
  })
}

/** Packages that bring browserslist with them. */
const WITH_BROWSERSLIST = ['browserslist', 'webpack', 'autoprefixer', '@babel/core', 'next', '@rsbuild/core']

/**
 * The browsers of the project's own browserslist (`browserslist` of package.json, `.browserslistrc`).
 * @returns `undefined` where the project has none; `error` where it has one that cannot be read
 */
export function projectBrowsers(root: string): readonly Browser[] | { readonly error: string } | undefined {
  const file = browserslistFile(root)
  if (file === undefined) return undefined
  const load = loadBrowserslist(root)
  if (load === undefined) return { error: `'${file}' names browsers, but the package browserslist is not installed.` }
  try {
    // The production environment, as a build for it and for tests must not differ in its images.
    return load(undefined, { path: root, env: 'production' })
  } catch (error) {
    return { error: `'${file}' is refused: ${error instanceof Error ? error.message : String(error)}` }
  }
}

type Browserslist = (queries: undefined, options: { path: string; env: string }) => readonly string[]

function loadBrowserslist(root: string): Browserslist | undefined {
  let from = createRequire(path.join(root, 'package.json'))
  for (const name of WITH_BROWSERSLIST) {
    try {
      if (name !== 'browserslist') from = createRequire(createRequire(path.join(root, 'package.json')).resolve(name))
      return from('browserslist') as Browserslist
    } catch {
      // Not installed, or without it: the next may be.
    }
  }
  return undefined
}

/** Where browserslist would find a configuration: the nearest folder upwards that has one. */
function browserslistFile(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    for (const name of ['.browserslistrc', 'browserslist']) if (existsSync(path.join(at, name))) return name
    if (hasField(path.join(at, 'package.json'))) return 'package.json'
    if (at === path.dirname(at)) return undefined
  }
}

function hasField(file: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(readFileSync(file, 'utf8')) as object, 'browserslist')
  } catch {
    // None there, or none that can be read: it names no browsers.
    return false
  }
}
