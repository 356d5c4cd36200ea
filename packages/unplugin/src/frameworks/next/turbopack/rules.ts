import { isAtLeast } from '../../../bundlers/adapter/required-version.ts'
import { AS_PARAMETER } from './parameters.ts'
import { MADE_EXTENSIONS } from './stand-ins.ts'
import type { LoaderOptions } from './questions.ts'

/** Describes what is used of the `turbopack` part of Next.js's configuration. */
export interface TurbopackConfig {
  rules?: Record<string, unknown>
  conditions?: Record<string, unknown>
  [key: string]: unknown
}

/** The oldest version whose Turbopack tells the end of a build and looks into files for conditions. */
export const TURBOPACK_SINCE = '15.4'

/** The first version whose conditions know queries, so that a file gets the extension of its new type. */
const QUERIES_SINCE = '16.2'

/** The first version whose conditions stand in the rules themselves. */
const CONDITIONS_SINCE = '16.0'

/** Types that Next.js takes for images in imports. */
const EXTENSIONS = ['avif', 'gif', 'jpeg', 'jpg', 'png', 'svg', 'webp']

const SCRIPTS = '*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}'

/** An image with a query, somewhere in a script. */
const IMAGE_QUERY = /\.(?:avif|gif|jpe?g|jxl|png|svg|webp)\?/i

/** The name of the condition in versions that keep conditions apart. */
const CONDITION = '#pixpress'

/** Describes what the rules are made for. */
export interface RuleSettings {
  /** The version of Next.js, at least `TURBOPACK_SINCE`. */
  readonly version: string
  /** Absolute path of the loader. */
  readonly loader: string
  readonly options: Omit<LoaderOptions, 'step' | 'extension'>
}

/**
 * Adds the rules of pixpress to those of a project, which come last. Images that a rule of the project names are left
 * to it.
 */
export function withRules(given: TurbopackConfig, settings: RuleSettings): TurbopackConfig {
  const { version } = settings
  const use = (more: Pick<LoaderOptions, 'step' | 'extension'>): object[] => [
    { loader: settings.loader, options: { ...settings.options, ...more } },
  ]
  const taken = Object.keys(given.rules ?? {}).join(' ')
  const free = EXTENSIONS.filter((extension) => !new RegExp(String.raw`[.{,]${extension}\b`).test(taken))
  const images = free.length === 0 ? {} : { [`*.{${free.join(',')}}`]: imageRule(version, use) }
  const request = { '*.pixpress': { loaders: use({ step: 'request' }), as: '*.js' } }
  const scripts = use({ step: 'script' })
  if (isAtLeast(version, CONDITIONS_SINCE)) {
    const condition = { all: [{ not: 'foreign' }, { content: IMAGE_QUERY }] }
    return { ...given, rules: { [SCRIPTS]: { condition, loaders: scripts }, ...request, ...images, ...given.rules } }
  }
  return {
    ...given,
    conditions: { [CONDITION]: { path: SCRIPTS, content: IMAGE_QUERY }, ...given.conditions },
    rules: { [CONDITION]: { loaders: scripts }, ...request, ...images, ...given.rules },
  }
}

type Use = (more: Pick<LoaderOptions, 'step' | 'extension'>) => object[]

function imageRule(version: string, use: Use): object {
  if (!namesByType(version)) return { loaders: use({ step: 'image' }) }
  const rules = MADE_EXTENSIONS.map((extension) => ({
    condition: { query: typeQuery(extension === 'jpg' ? 'jpe?g' : extension) },
    loaders: use({ step: 'image', extension }),
    as: `*.${extension}`,
    // Next.js does not know it for an image.
    ...(extension === 'jxl' && { type: 'asset' }),
  }))
  const any = { any: rules.map(({ condition }) => condition) }
  return [...rules, { condition: { not: any }, loaders: use({ step: 'image' }) }]
}

/** Tells whether images of a converted type are named by it, and not by their source. */
export const namesByType = (version: string): boolean => isAtLeast(version, QUERIES_SINCE)

const typeQuery = (extension: string): RegExp => new RegExp(`[?&](?:format|${AS_PARAMETER})=${extension}(?:&|$)`)
