import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'

/** A place in emitted code that names an image. */
export interface EmittedReference {
  /** The file it stands in, relative to the output folder, with forward slashes. */
  readonly file: string
  /** The URL as written, with entities and escapes resolved. */
  readonly url: string
  /** The emitted file it leads to, relative to the output folder; absent when there is none, and for `data:` URLs. */
  readonly target?: string
  /** The content of a `data:` URL. */
  readonly inlined?: { readonly type: string; readonly bytes: Buffer }
}

/** Options for reading references. */
export interface ReferenceOptions {
  /** The start of the site's URLs, which the output folder stands for. Default `/`. */
  readonly base?: string
}

const ENDS_LIKE_IMAGE = new RegExp(String.raw`${EXTENSION_PATTERN}(?:[?#].*)?$`, 'i')
const DATA_URL = /^data:(image\/[\w.+-]+)((?:;[\w-]+=[^;,]*)*)(;base64)?,([^]*)$/i

/**
 * Finds every local image that the JavaScript, CSS and HTML in an output folder refer to: string literals (also srcset
 * strings), `url()`, HTML attributes, and `data:` URLs. Found by the look of the text, not by parsing, so that it
 * shares nothing with the code under test. Keys of objects (`{"./a.png": …}`, `map["./a.png"]`) are the bundlers' own
 * names, not references.
 */
export async function readReferences(
  outDir: string,
  { base = '/' }: ReferenceOptions = {},
): Promise<EmittedReference[]> {
  const entries = await readdir(outDir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(outDir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
  const present = new Set(files)
  const references: EmittedReference[] = []
  for (const file of files) {
    const find = FINDERS[path.extname(file)]
    if (find === undefined) continue
    const text = await readFile(path.join(outDir, file), 'utf8')
    for (const url of new Set(find(text))) {
      const inlined = decodeDataUrl(url)
      if (inlined !== undefined) references.push({ file, url, inlined })
      else if (ENDS_LIKE_IMAGE.test(url) && !isElsewhere(url)) {
        const target = resolveTarget(url, file, base, present)
        references.push({ file, url, ...(target !== undefined && { target }) })
      }
    }
  }
  return references
}

/** Returns the references that lead nowhere. */
export function danglingReferences(references: readonly EmittedReference[]): EmittedReference[] {
  return references.filter(({ target, inlined }) => target === undefined && inlined === undefined)
}

const FINDERS: Readonly<Record<string, (text: string) => string[]>> = {
  '.js': inScript,
  '.mjs': inScript,
  '.cjs': inScript,
  '.css': inStylesheet,
  '.html': inMarkup,
}

/**
 * Searches from each spot that looks like the end of an image's name, or the start of a `data:` URL, to the quotes
 * around it.
 */
function inScript(code: string): string[] {
  const found: string[] = []
  const seen = new Set<number>()
  for (const { index } of code.matchAll(
    new RegExp(String.raw`${EXTENSION_PATTERN}(?=[?#"'\`)\s\\])|data:image/`, 'gi'),
  )) {
    const start = quoteBefore(code, index)
    if (start === undefined || seen.has(start)) continue
    seen.add(start)
    const end = closingQuote(code, start)
    if (end === undefined || end < index || isKey(code, start, end)) continue
    const literal = unescapeScript(code.slice(start + 1, end))
    if (!literal.includes('data:')) found.push(...fromSrcset(literal.replace(/^.*\}/, '')))
    // Commas may be part of a `data:` URL, spaces may not: a list of them is split where a descriptor stands.
    else found.push(...literal.split(/\s+[\d.]+[wx](?:,\s*|$)/).filter((url) => url !== ''))
    found.push(...inStylesheet(literal))
  }
  return found
}

function quoteBefore(code: string, index: number): number | undefined {
  for (let at = index - 1; at >= 0 && code[at] !== '\n'; at--) {
    if (isQuote(code[at]!) && code[at - 1] !== '\\') return at
  }
  return undefined
}

function closingQuote(code: string, start: number): number | undefined {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++
    else if (code[at] === code[start]) return at
    else if (code[at] === '\n' && code[start] !== '`') return undefined
  }
  return undefined
}

function isKey(code: string, start: number, end: number): boolean {
  const before = code.slice(Math.max(0, start - 200), start)
  const after = code.slice(end + 1, end + 50)
  const isMember = /[{,]\s*$/.test(before) && /^\s*(?::|\()/.test(after)
  return isMember || (/[\w$)\]}]\[\s*$/.test(before) && !/\breturn\[\s*$/.test(before) && /^\s*\]/.test(after))
}

const isQuote = (character: string): boolean => character === '"' || character === "'" || character === '`'

function unescapeScript(literal: string): string {
  return literal
    .replaceAll(/\\u\{?([\da-f]{1,6})\}?|\\x([\da-f]{2})/gi, (_, long?: string, short?: string) =>
      String.fromCodePoint(Number.parseInt(long ?? short ?? '', 16)),
    )
    .replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character)
}

function inStylesheet(css: string): string[] {
  const found: string[] = []
  const quoted = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/.source
  for (const [, double, single, bare] of css.matchAll(
    new RegExp(String.raw`url\(\s*(?:${quoted}|([^\s"'()]+))\s*\)`, 'gi'),
  )) {
    found.push(unescapeCss(double ?? single ?? bare ?? ''))
  }
  for (const [, list] of css.matchAll(/image-set\(((?:[^()]|\([^()]*\))*)\)/gi)) {
    // Bare strings of an image-set are URLs too; those in `type("image/avif")` do not look like images.
    for (const [, double, single] of list!.matchAll(new RegExp(quoted, 'g')))
      found.push(unescapeCss(double ?? single ?? ''))
  }
  return found
}

function unescapeCss(text: string): string {
  return text
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\(.)/g, '$1')
}

function inMarkup(html: string): string[] {
  const found: string[] = []
  const text = html.replaceAll(/<!--[^]*?-->/g, '')
  const attribute = /\s([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g
  for (const [tag] of text.matchAll(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi)) {
    for (const [, name, double, single, bare] of tag.matchAll(attribute)) {
      const value = unescapeMarkup(double ?? single ?? bare ?? '')
      if (/srcset$/i.test(name!)) found.push(...fromSrcset(value))
      else if (/^style$/i.test(name!)) found.push(...inStylesheet(value))
      else if (/^(?:src|(?:xlink:)?href|content|poster|data)$/i.test(name!)) found.push(value.trim())
    }
  }
  for (const [, css] of text.matchAll(/<style[^>]*>([^]*?)<\/style>/gi)) found.push(...inStylesheet(css!))
  for (const [, code] of text.matchAll(/<script[^>]*>([^]*?)<\/script>/gi)) found.push(...inScript(code!))
  return found
}

function unescapeMarkup(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }
  return text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal))
    },
  )
}

/**
 * Returns the URLs of a srcset, or of a part of one that a bundler has cut at an expression; any other text as it is.
 */
function fromSrcset(value: string): string[] {
  return value
    .split(/\s+[\d.]+[wx]\s*(?:,|$)|,\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function decodeDataUrl(url: string): EmittedReference['inlined'] {
  const [, type, , base64, payload] = DATA_URL.exec(url) ?? []
  if (type === undefined || payload === undefined) return undefined
  const bytes = base64 === undefined ? Buffer.from(decodeURIComponent(payload)) : Buffer.from(payload, 'base64')
  return { type: type.toLowerCase(), bytes }
}

const isElsewhere = (url: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(url)

/**
 * A script's URLs may be relative to the script (`new URL(…, import.meta.url)`), to the page, or to the base that code
 * adds: one that leads to an emitted file in any of these ways is taken to do so.
 */
function resolveTarget(url: string, file: string, base: string, present: ReadonlySet<string>): string | undefined {
  const bare = url.replace(/[?#].*$/, '')
  const local = bare.startsWith(base) ? bare.slice(base.length) : bare.replace(/^\//, '')
  const folder = path.posix.dirname(file)
  const ways = [local, path.posix.join(folder, local)].map((way) =>
    path.posix.normalize(way).replace(/^(?:\.\.\/)+/, ''),
  )
  return ways.flatMap((way) => [way, decoded(way)]).find((way) => present.has(way))
}

function decoded(way: string): string {
  try {
    return decodeURIComponent(way)
  } catch {
    // A lone percent sign is a character of the name.
    return way
  }
}
