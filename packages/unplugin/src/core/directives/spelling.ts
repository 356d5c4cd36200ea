import { nearest, PixpressError } from '@pixpress/core'
import { DIRECTIVES, FLAGS, MISTAKEN_NAMES, UNSUPPORTED_DIRECTIVES } from './vocabulary.ts'

/** Shorter names are a slip of one key away from too many words to tell a misspelling from a foreign parameter. */
const TELLING_LENGTH = 4

const NAMES: readonly string[] = [...DIRECTIVES, ...FLAGS, ...Object.keys(MISTAKEN_NAMES)]
const TELLING_NAMES: readonly string[] = [...DIRECTIVES, ...Object.keys(MISTAKEN_NAMES)].filter(
  (name) => name.length >= TELLING_LENGTH && name !== 'type',
)

/** Whether a parameter that stands alone is so near to a directive's name that it must be meant as one. */
export function isMisspeltDirective(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return DIRECTIVES.some((each) => each.toLowerCase() === lowerCase) || nearestName(name, TELLING_NAMES) !== undefined
}

/**
 * The error for a name that is no directive: what stands in for one of imagetools' that is not supported, or the nearest
 * right spelling.
 * @param option How to call it in the message: the bare name, or its place in the plugin's options.
 */
export function unknownDirective(name: string, option: string = name): PixpressError {
  if (Object.hasOwn(UNSUPPORTED_DIRECTIVES, name)) {
    const hint = UNSUPPORTED_DIRECTIVES[name]
    const names = Object.keys(UNSUPPORTED_DIRECTIVES).join(', ')
    const reason = `Directive '${option}' is not supported.${hint && ` ${hint}`}`
    return new PixpressError('INVALID_OPTION', `${reason} Of imagetools' directives these are not: ${names}.`)
  }
  const near = nearestName(name, NAMES)
  const hint = near === undefined ? `Known: ${DIRECTIVES.join(', ')}.` : `Did you mean '${near}'?`
  return new PixpressError('INVALID_OPTION', `Unknown directive '${option}'. ${hint}`)
}

function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const near = nearest(name, candidates)
  return near === undefined ? undefined : (MISTAKEN_NAMES[near] ?? near)
}
