/** A start tag with its attributes, or an end tag. */
export interface Tag {
  /** In lower case. */
  readonly name: string
  readonly isEnd: boolean
  readonly attributes: ReadonlyMap<string, string>
}

/** Content that is not markup, or that browsers do not show; where scripts run, `noscript` is not shown either. */
const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript|textarea|title)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi

const TAG = /<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">]){0,4000})>/gi

const ATTRIBUTE = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/** The tags of a page in their order, for what reads attributes: it builds no tree. */
export function* tagsOf(html: string): Generator<Tag> {
  for (const [, slash, name, rest] of html.replace(UNSEEN, '').matchAll(TAG)) {
    const attributes = new Map<string, string>()
    for (const [, key, double, single, bare] of rest!.matchAll(ATTRIBUTE)) {
      const known = key!.toLowerCase()
      // The first of two counts.
      if (!attributes.has(known)) attributes.set(known, decoded(double ?? single ?? bare ?? ''))
    }
    yield { name: name!.toLowerCase(), isEnd: slash === '/', attributes }
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes the character references that URLs and sizes have. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all: string, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
    if (name === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : all
    return ENTITIES[(name as string).toLowerCase()] ?? all
  })
}
