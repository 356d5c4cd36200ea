import { visibleText } from '@pixpress/core/report'
import { PixpressError } from '@pixpress/core'
import { POSITION_SHORTHANDS, nearest } from '@pixpress/core/internal'
import { DIRECTIVE_NAMES } from './rows.ts'
import { FITS, FLAGS, FORMATS, MISTAKEN_NAMES, OUTPUTS, UNSUPPORTED_DIRECTIVES } from './vocabulary.ts'

/** Shorter names are a slip of one key away from too many words to tell a misspelling from a foreign parameter. */
const TELLING_LENGTH = 4

/**
 * A slip changes a name's length by no more; what is longer is a word of its own that holds the name (`origFormat`).
 */
const MOST_DIFFERENCE = 2

/** Values that are written without their directive: `?w=300&webp`. */
const VALUES: readonly string[] = [...FORMATS, 'jpg', ...FITS, ...OUTPUTS, ...POSITION_SHORTHANDS]

const NAMES: readonly string[] = [...DIRECTIVE_NAMES, ...FLAGS, ...Object.keys(MISTAKEN_NAMES)]
const TELLING_NAMES: readonly string[] = [...DIRECTIVE_NAMES, ...Object.keys(MISTAKEN_NAMES)].filter(
  (name) => isTelling(name) && name !== 'type',
)

/** Tells whether a parameter with a value is so near to a directive's name that it must be meant as one. */
export function isMisspeltDirective(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return DIRECTIVE_NAMES.some((each) => each.toLowerCase() === lowerCase) || isSlipOf(name, TELLING_NAMES)
}

/**
 * Tells whether a word without a value beside directives must be meant as one of theirs, their flags' or their values'.
 */
export function isOwnWord(name: string): boolean {
  return VALUES.includes(name) || isMisspeltDirective(name) || isSlipOf(name, FLAGS.filter(isTelling))
}

function isTelling(name: string): boolean {
  return name.length >= TELLING_LENGTH
}

function isSlipOf(name: string, candidates: readonly string[]): boolean {
  const near = nearest(name, candidates)
  return near !== undefined && Math.abs(near.length - name.length) <= MOST_DIFFERENCE
}

/**
 * The error for a name that is no directive: what takes the place of one of imagetools' that is not supported, or the
 * nearest right spelling.
 * @param place The option of the plugin that holds it; empty for a query.
 */
export function unknownDirective(name: string, place: string = ''): PixpressError {
  const option = place === '' ? name : `${place}.${name}`
  if (Object.hasOwn(UNSUPPORTED_DIRECTIVES, name)) {
    const message = `Directive '${option}' is not supported. ${UNSUPPORTED_DIRECTIVES[name]}`
    return new PixpressError('INVALID_OPTION', message)
  }
  const near = nearestName(name, NAMES)
  const hint = near === undefined ? `Known: ${DIRECTIVE_NAMES.join(', ')}.` : `Did you mean '${near}'?`
  return new PixpressError(
    'INVALID_OPTION',
    `Unknown ${place === '' ? 'directive' : 'option'} '${visibleText(option)}'. ${hint}`,
  )
}

function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const near = nearest(name, candidates)
  return near === undefined ? undefined : (MISTAKEN_NAMES[near] ?? near)
}
