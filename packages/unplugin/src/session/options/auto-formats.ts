import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { ImageType } from '@pixpress/core'
import { AUTO_TYPES, factsOf, firstLine, readLockedFormats } from '@pixpress/core/internal'
import { BASELINE_FORMATS, FIRST_VERSIONS, USE } from './browser-data.ts'
import type { ResolvedOptions } from './options.ts'

/** Percent of tracked use. Browsers of a list that lack a format may have less in sum. */
const LIMIT = 0.3

/** Browsers that a sentence names; a list may have dozens. */
const MOST_NAMED = 4

/** The browsers of a project, and where it names them. */
interface Browsers {
  /** The formats in `pixpress.lock` stay valid while this text is the same. */
  readonly question: string
  /** In messages: `your browserslist (package.json)`. */
  readonly where: string
  /** In the form of browserslist: `chrome 107`, `ios_saf 15.6-15.8`. */
  readonly all: readonly string[]
  /** Browsers that the author names with a version: they count, whatever their use. */
  readonly named: ReadonlySet<string>
  /** Tells in one sentence how to allow a format that some of the browsers lack. */
  readonly allow: (type: ImageType, lacking: readonly string[]) => string
  /** Tells in one sentence how to serve older browsers. */
  readonly serveOlder: string
}

/**
 * Chooses the formats that `convert: 'auto'` may write: by the project's browserslist, else by the target that the
 * project set, else by Baseline widely available.
 * @param targets what the project itself set, not the bundler's default: `chrome107`, or `browserslist:` and queries
 * @param lock absolute path: its formats stay while they answer the same question, so that newer data changes no image
 */
export function chooseAutoFormats(
  root: string,
  targets: readonly string[],
  lock: string | undefined,
): Pick<ResolvedOptions, 'covered' | 'unknownBrowsers' | 'standing' | 'autoFormats'> {
  const list = browsersOfList(root, targets)
  if (typeof list === 'string')
    return { covered: [], unknownBrowsers: `convert: 'auto' keeps the original formats: ${list}` }
  const browsers = list ?? browsersOfTargets(targets)
  const question = browsers?.question ?? 'baseline'
  const current = AUTO_TYPES.filter((type) =>
    browsers === undefined ? BASELINE_FORMATS.includes(type) : lackingIn(browsers, type).length === 0,
  )
  const locked = readLockedFormats(lock)
  const covered = locked?.browsers === question ? AUTO_TYPES.filter((type) => locked.auto.includes(type)) : current
  const standing = isSame(covered, current) ? sentenceOf(covered, browsers) : lockedSentence(covered, current, lock!)
  return { covered, standing, autoFormats: { auto: covered, browsers: question } }
}

/** Returns the targets in a bundler's option: a text, or a list of texts. */
export const targetsIn = (option: unknown): readonly string[] =>
  [option].flat().filter((target) => typeof target === 'string')

/** Returns the browsers that keep a format from being used: none if it is allowed. */
function lackingIn({ all, named }: Browsers, type: ImageType): readonly string[] {
  const lacking = all.filter((browser) => !supports(browser, type))
  const use = lacking.reduce((sum, browser) => sum + (named.has(browser) ? 0 : (USE[browser] ?? 0)), 0)
  return use < LIMIT ? lacking.filter((browser) => named.has(browser)) : lacking
}

function supports(browser: string, type: ImageType): boolean {
  const [name = '', version = ''] = browser.split(' ')
  const first = FIRST_VERSIONS[type]?.[name]
  // The lowest version of a range counts. Previews (`safari TP`) and `all` are the newest version.
  const lowest = Number.parseFloat(version)
  return first !== undefined && (Number.isNaN(lowest) || lowest >= first)
}

function sentenceOf(covered: readonly ImageType[], browsers: Browsers | undefined): string {
  if (browsers === undefined)
    return `${written(covered)}, for browsers of Baseline widely available. To serve older ones, add a browserslist to package.json.`
  const { where, allow, serveOlder } = browsers
  const missing = AUTO_TYPES.find((type) => !covered.includes(type))
  if (missing === undefined) return `${written(covered)}, for the browsers of ${where}. ${serveOlder}`
  const lacking = lackingIn(browsers, missing)
  const rest = lacking.length - MOST_NAMED
  const names = `${lacking.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  return `${written(covered)}: ${where} includes ${names}. ${allow(missing, lacking)}`
}

const lockedSentence = (covered: readonly ImageType[], current: readonly ImageType[], lock: string): string =>
  `${written(covered)}, as ${path.basename(lock)} says. To use ${listed(current) || 'the original formats'}, delete "auto" from its first line.`

const written = (covered: readonly ImageType[]): string =>
  `convert: 'auto' ${covered.length === 0 ? 'keeps the original formats' : `writes ${listed(covered)}`}`

const listed = (types: readonly ImageType[]): string => types.map((type) => factsOf(type).label).join(' and ')

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean => a.join() === b.join()

/** Maps the names of browsers in targets to those of browserslist. */
const NAMES: Readonly<Record<string, string>> = {
  chrome: 'chrome',
  edge: 'edge',
  firefox: 'firefox',
  ie: 'ie',
  ios: 'ios_saf',
  opera: 'opera',
  safari: 'safari',
}

/** @returns `undefined` if none of the targets is a browser: languages (`es2020`) and Node.js show no images */
function browsersOfTargets(targets: readonly string[]): Browsers | undefined {
  const each = targets
    .flatMap((target) => target.split(','))
    .map((target) => {
      const [, name = '', version = ''] = /^([a-z]+)(\d[\d.]*)$/.exec(target.trim().toLowerCase()) ?? []
      return { target: target.trim(), name, browser: NAMES[name] && `${NAMES[name]} ${version}` }
    })
  const own = each.filter(({ browser }) => browser !== undefined)
  if (own.length === 0) return undefined
  const all = own.map(({ browser }) => browser!)
  const shown = own.map(({ target }) => target).join(', ')
  return {
    question: `targets: ${shown}`,
    where: `your build target (${shown})`,
    all,
    named: new Set(all),
    allow(type, lacking) {
      const raised = each.flatMap(({ target, name, browser }) => {
        if (browser === undefined || !lacking.includes(browser)) return [`'${target}'`]
        const first = FIRST_VERSIONS[type]?.[NAMES[name]!]
        return first === undefined ? [] : [`'${name}${first}'`]
      })
      return `For ${factsOf(type).label}, set the target to [${raised.join(', ')}].`
    },
    serveOlder: 'To serve older ones, lower the target.',
  }
}

/** Packages that bring browserslist with them. */
const WITH_BROWSERSLIST = ['browserslist', 'webpack', 'autoprefixer', '@babel/core', 'next', '@rsbuild/core']

/** A target of webpack, Rspack or Rsbuild that is a browserslist. */
const QUERIES = /^browserslist:/

/** A query that names a browser and a version, or a range of them: `safari 15`, `op_mini all`, `chrome >= 80`. */
const OUTRIGHT = /^(?!(?:baseline|cover|last|node|since)\b)\w+\s+(?:all|[\d.]+(?:\s*-\s*[\d.]+)?|[<>]=?\s*[\d.]+)$/i

interface Place {
  readonly path: string
  readonly env: string
}

interface Browserslist {
  (queries: readonly string[], place: Place): readonly string[]
  loadConfig(place: Place): string | readonly string[] | undefined
}

/**
 * Reads the project's own browserslist: of the target, else `browserslist` of package.json or `.browserslistrc`.
 * @returns `undefined` if the project has none; a sentence if it has one that cannot be read
 */
function browsersOfList(root: string, targets: readonly string[]): Browsers | string | undefined {
  const given = targets.find((target) => QUERIES.test(target))?.replace(QUERIES, '')
  const file = given === undefined ? browserslistFile(root) : 'build target'
  if (file === undefined) return undefined
  const load = loadBrowserslist(root)
  if (load === undefined)
    return `the package browserslist, which reads your browserslist (${file}), is not installed. Run npm install --save-dev browserslist.`
  // Builds for production and for tests must not differ in their images.
  const place = { path: root, env: 'production' }
  try {
    const queries = given ?? load.loadConfig(place)
    if (queries === undefined) return undefined
    const text = withShared([queries].flat().join(', '), root)
    const outright = text.split(/,|\s(?:or|and)\s/i).map((query) => query.trim())
    return {
      question: `browserslist: ${text}`,
      where: `your browserslist (${file})`,
      all: load([text], place),
      named: new Set(outright.filter((query) => OUTRIGHT.test(query)).flatMap((query) => load([query], place))),
      allow: (type, lacking) => `For ${factsOf(type).label}, add to it: ${exclusionOf(type, lacking)}.`,
      serveOlder: 'To serve older ones, name them in it, such as safari 15.',
    }
  } catch (error) {
    return `your browserslist (${file}) is refused: ${firstLine(error)}`
  }
}

/** Returns the queries that leave browsers without a format out of a list. */
function exclusionOf(type: ImageType, lacking: readonly string[]): string {
  const queries = lacking.map((browser) => {
    const [name = '', version = ''] = browser.split(' ')
    const first = FIRST_VERSIONS[type]?.[name]
    return Number.isNaN(Number.parseFloat(version)) ? `not ${browser}` : `not ${name} ${first ? `< ${first}` : '> 0'}`
  })
  return [...new Set(queries)].join(', ')
}

/** Puts the queries of a shared list in place of `extends`: they may name browsers, too. */
function withShared(text: string, root: string): string {
  return text.replaceAll(/\bextends\s+([^\s,]+)/gi, (_, name: string) => {
    const { resolve } = createRequire(import.meta.url)
    const shared = createRequire(root)(resolve(name, { paths: [process.cwd(), root] })) as SharedList
    const queries = Array.isArray(shared) ? shared : (shared.production ?? shared.defaults ?? [])
    return withShared([queries].flat().join(', '), root)
  })
}

interface SharedList {
  readonly production?: string | readonly string[]
  readonly defaults?: string | readonly string[]
}

function loadBrowserslist(root: string): Browserslist | undefined {
  const own = createRequire(path.join(root, 'package.json'))
  for (const name of WITH_BROWSERSLIST) {
    try {
      const from = name === 'browserslist' ? own : createRequire(own.resolve(name))
      return from('browserslist') as Browserslist
    } catch {
      // Not installed, or without it: the next may be.
    }
  }
  return undefined
}

/** Finds where browserslist would find a configuration: in the nearest folder upwards that has one. */
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
    // A file that is missing or damaged names no browsers.
    return false
  }
}
