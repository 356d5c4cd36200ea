import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Edit, Remark } from '../script/edits.ts'
import type { Tool } from '../tools/tool.ts'

/**
 * Matches the query of an image in quotes or in `url()`, which scripts, components, stylesheets and pages have in
 * common. Other texts hardly hold a query of exactly the tool's words after the name of an image.
 */
const IMAGE_QUERY = new RegExp(
  String.raw`(?<=["'\x60(][^"'\x60()\s?]*${EXTENSION_PATTERN})\?([^"'\x60()\s#]+)(?=[^"'\x60()\s]*["'\x60)])`,
  'gi',
)

/** Plans the changes of the queries of images in a text. */
export function changeQueries(text: string, { query }: Tool): { edits: readonly Edit[]; byHand: readonly Remark[] } {
  const edits: Edit[] = []
  const byHand: Remark[] = []
  if (query === undefined) return { edits, byHand }
  for (const { index, 0: written, 1: parameters } of text.matchAll(IMAGE_QUERY)) {
    const answer = parametersOf(parameters!)
    const made = answer && query(answer)
    if (made === undefined) continue
    if ('hand' in made) byHand.push({ at: index, text: `'${written}': ${made.hand}` })
    else
      edits.push({
        start: index,
        end: index + written.length,
        text: toQuery(made.parameters, written.includes('&amp;')),
      })
  }
  return { edits, byHand }
}

/** Splits a query, without decoding it. Returns `undefined` if a parameter is given twice or computed at run time. */
function parametersOf(text: string): ReadonlyMap<string, string> | undefined {
  if (/[${}]/.test(text)) return undefined
  const pairs = text.split(/&(?:amp;)?/).map((pair) => pair.split(/=(.*)/s) as [string, string?])
  const parameters = new Map(pairs.map(([key, value = '']) => [key, value]))
  return parameters.size === pairs.length ? parameters : undefined
}

function toQuery(parameters: readonly (readonly [key: string, value: string])[], isEscaped: boolean): string {
  if (parameters.length === 0) return ''
  const pairs = parameters.map(([key, value]) => (value === '' ? key : `${key}=${value}`))
  return `?${pairs.join(isEscaped ? '&amp;' : '&')}`
}
