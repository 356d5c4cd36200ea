import { findInDeclaration } from '../references/css.ts'
import { encodeCssString } from '../references/css-escape.ts'
import type { Reference } from '../references/types.ts'
import { readStylesheet } from './declarations.ts'
import type { Declaration } from './declarations.ts'
import type { TypedUrl, FileAlternatives } from './alternatives.ts'

/** At-rules whose blocks hold declarations that browsers drop when they do not understand them, and rules. */
const CONDITIONS = /^@(?:media|supports|layer|container|scope|starting-style|document|-moz-document|page)\b/i
const KEYFRAMES = /^@(?:-\w+-)?keyframes\b/i

/** Asks a browser whether it chooses among images by their types. */
const CHOOSES = '@supports (background-image:image-set(url("data:,") type("image/png")))'

/**
 * The stylesheet with a second declaration behind each one that holds images of several types: the same with
 * `image-set(… type())`. Browsers drop it whole unless they know `type()`, and keep the first, so each rule works as
 * before everywhere. Minifiers drop or change one of the two, so this is for what they have done already.
 *
 * A custom property is never dropped: its second value stands in an `@supports` behind it. A value that is put together
 * from variables (`url(a.png) var(--x)`) is not dropped either, and stays as it is.
 * @param alternatives what there is for the URLs of the text
 */
export async function withImageSets(css: string, alternatives: FileAlternatives): Promise<string> {
  if (!/url\(/i.test(css)) return css
  const { declarations } = readStylesheet(css)
  let result = ''
  let copied = 0
  for (const [index, declaration] of declarations.entries()) {
    if (!/url\(/i.test(declaration.value)) continue
    const second = await secondDeclaration(declaration, declarations.slice(index + 1), alternatives)
    if (second === undefined) continue
    result += css.slice(copied, declaration.end) + second
    copied = declaration.end
  }
  return result + css.slice(copied)
}

async function secondDeclaration(
  declaration: Declaration,
  later: readonly Declaration[],
  alternatives: FileAlternatives,
): Promise<string | undefined> {
  const { property, value } = declaration
  const refusal = refusalOf(declaration, later)
  let text = ''
  let copied = 0
  for (const reference of findInDeclaration(value)) {
    const around = functionAround(value, reference)
    const reason =
      refusal ??
      (reference.kind === 'css-url' && around !== undefined ? undefined : 'It stands in an image-set() already.')
    if (reason !== undefined || around === undefined) {
      await alternatives.refuse(reference.url, reason ?? UNUSUAL)
      continue
    }
    const offer = await alternatives.find(reference.url)
    if (offer === undefined) continue
    text += value.slice(copied, around.start) + imageSet([...(await offer.take(offer.types)), offer.own])
    copied = around.end
  }
  if (copied === 0) return undefined
  const second = `${property}:${text}${value.slice(copied)}`
  return property.startsWith('--') ? `;${CHOOSES}{${second}}` : `;${second}`
}

const UNUSUAL = 'Its url() is written in a way that is not taken apart.'

/** Why a declaration cannot be followed by one of several types; `undefined` where it can. */
function refusalOf({ property, value, blocks }: Declaration, later: readonly Declaration[]): string | undefined {
  const at = blocks.find((prelude) => prelude.startsWith('@') && !CONDITIONS.test(prelude) && !KEYFRAMES.test(prelude))
  if (at !== undefined) return `It stands in ${at.split(/\s/)[0]!}, where a browser does not choose by type.`
  if (!property.startsWith('--')) {
    const isComputed = /\b(?:var|env|attr|if)\(/i.test(value)
    return isComputed ? `'${property}' is put together from variables, which no browser falls back from.` : undefined
  }
  if (blocks.length === 0 || blocks.some((prelude) => KEYFRAMES.test(prelude)))
    return `'${property}' is a variable in a place that has no room for @supports.`
  const isOverruled = later.some((each) => each.property === property && sameBlocks(each.blocks, blocks))
  return isOverruled ? `'${property}' is given again in the same rule.` : undefined
}

const sameBlocks = (a: readonly string[], b: readonly string[]): boolean => a.join('\0') === b.join('\0')

/** The offsets of `url(…)` around its URL. */
function functionAround(value: string, { start, end }: Reference): { start: number; end: number } | undefined {
  const before = /url\(\s*["']?$/i.exec(value.slice(0, start))
  const after = /^["']?\s*\)/.exec(value.slice(end))
  if (before === null || after === null) return undefined
  return { start: before.index, end: end + after[0].length }
}

/** The last one is chosen by whoever reads none of the others. */
function imageSet(types: readonly TypedUrl[]): string {
  const options = types.map(({ url, type }) => `url("${encodeCssString(url, '"')}") type("${type}")`)
  return `image-set(${options.join(',')})`
}
