import { readStylesheet } from './declarations.ts'

/** The attribute of pictures that are put around an `<img>`. */
export const ADDED = 'data-pixpress'

/** Stands behind a type selector: all elements of the type but those pictures. It weighs nothing. */
export const SPARING: string = `:where(:not([${ADDED}]))`

/** Has a project's own rules on pictures leave those alone that are put around images, as if they were not there. */
export type SparePictures = (css: string) => string

/**
 * The stylesheet with each type selector `picture` made one for the project's own pictures: `.prose picture > img` does
 * not match an image for being put into another one. Given twice, it changes nothing more.
 * @param knowsWhere whether all browsers of the project read `:where()`. Those that do not drop the whole rule, so
 *   without it only rules are changed that have it already
 */
export function sparePictures(css: string, knowsWhere: boolean): string {
  let result = ''
  let copied = 0
  for (const offset of findPictureSelectors(css, knowsWhere)) {
    result += css.slice(copied, offset) + SPARING
    copied = offset
  }
  return result + css.slice(copied)
}

/** Where in a stylesheet `SPARING` has to be put in, in order. @param knowsWhere as in `sparePictures` */
function findPictureSelectors(css: string, knowsWhere: boolean): number[] {
  if (!/picture/i.test(css)) return []
  return readStylesheet(css).places.flatMap(({ start, end }) =>
    findInPrelude(css.slice(start, end), knowsWhere).map((offset) => start + offset),
  )
}

/** The selectors of one rule, or the limits of a `@scope`, as `sparePictures` has them. */
export function sparedPrelude(prelude: string, knowsWhere: boolean): string {
  return findInPrelude(prelude, knowsWhere).reduceRight(
    (text, offset) => text.slice(0, offset) + SPARING + text.slice(offset),
    prelude,
  )
}

/** Other at-rules, and variables that hold a block, have names there. */
const NO_SELECTORS = /^(?:\s|\/\*[^]*?\*\/)*(?:@(?!scope\b)|--)/i

/** Pseudo-classes that take selectors, those that compilers of components resolve later included. */
const TAKES_SELECTORS =
  /^::?(?:is|where|matches|not|has|current|(?:-\w+-)?any|nth(?:-last)?-child|host(?:-context)?|(?:v-)?(?:deep|slotted|global)|local)\($/i

// Each alternative begins otherwise and ends with the text at the latest, so that none of them ever backtracks for
// long.
const NAME = String.raw`(?:[-\w]|[^\0-\x7f]|\\[^])+`
const STRING = String.raw`"(?:[^"\\]|\\[^]?)*(?:"|$)|'(?:[^'\\]|\\[^]?)*(?:'|$)`
const ATTRIBUTE = String.raw`\[(?:${STRING}|\\[^]?|[^\]"'\\])*(?:\]|$)`
const TOKEN = new RegExp(
  String.raw`\/\*[^]*?(?:\*\/|$)|${STRING}|${ATTRIBUTE}|(?:::?|[.#@])${NAME}\(?|(?<name>${NAME}[(|]?)|[^]`,
  'gy',
)
/** Holds what minifiers and scopes put before it. */
const IS_SPARING = new RegExp(String.raw`(?:[.#]${NAME}|${ATTRIBUTE})*:where\(:not\(\[${ADDED}\]\)\)`, 'iy')

function findInPrelude(prelude: string, knowsWhere: boolean): number[] {
  if (!/picture/i.test(prelude) || NO_SELECTORS.test(prelude)) return []
  // Browsers that read @scope read :where().
  if (!knowsWhere && !/:where\(|@scope\b/i.test(prelude)) return []
  const found: number[] = []
  /** Tells of each open bracket whether there are selectors in it. */
  const open = [true]
  for (const { 0: token, index, groups } of prelude.matchAll(TOKEN)) {
    if (token === ')') {
      if (open.length > 1) open.pop()
    } else if (token.endsWith('(') && !/^["'/[]/.test(token)) {
      open.push(open.at(-1)! && (token === '(' || TAKES_SELECTORS.test(token)))
    } else if (groups?.['name']?.toLowerCase() === 'picture' && open.at(-1)!) {
      const end = index + token.length
      IS_SPARING.lastIndex = end
      if (!IS_SPARING.test(prelude)) found.push(end)
    }
  }
  return found
}
