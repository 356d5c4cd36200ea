import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Edit } from '../script/edits.ts'
import type { Remark } from './configuration.ts'
import type { Tool } from '../tools/tool.ts'

/**
 * The query of an image in quotes or in `url()`: what scripts, components, stylesheets and pages have in common. In other
 * texts a query of exactly the tool's own words behind the name of an image is as unlikely.
 */
const IMAGE_QUERY = new RegExp(
  String.raw`(?<=["'\x60(][^"'\x60()\s?]*${EXTENSION_PATTERN})\?([^"'\x60()\s#]+)(?=[^"'\x60()\s]*["'\x60)])`,
  'gi',
)

/** What queries of images have to say for pixpress. */
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

/** As written, without decoding; `undefined` where a parameter stands twice or is put together at run time. */
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
