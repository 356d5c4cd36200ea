import type { Options } from './options.ts'

/** Options that can change what a module of an import exports. */
const SHAPING = [
  'convert',
  'resize',
  'maxWidth',
  'transform',
  'overrides',
  'presets',
  'lqip',
  'compat',
  'defaultDirectives',
  'namedExports',
]

/** Renders the given options that the types of imports depend on as JSON, sorted by name. */
export function shapingOptions(options: Options): string {
  const given = Object.entries(options).filter(([key, value]) => SHAPING.includes(key) && isJson(value))
  return JSON.stringify(Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Tells whether JSON can hold a value without loss. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && value !== undefined
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isJson)
}
