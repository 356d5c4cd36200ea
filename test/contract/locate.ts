import type { Expectation } from './site.ts'

/** An emitted site, in the form in which references are looked up. */
export interface BuiltSite {
  readonly files: ReadonlyMap<string, Buffer>
  readonly page: string | undefined
  /** `globalThis.site`, with URLs from the root of the site. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Finds the build's result for one reference: the bytes that a browser would get.
 * @throws Error when the reference is gone, or leads nowhere
 */
export function locate({ kind, at }: Expectation, site: BuiltSite): { url: string; file?: string; bytes: Buffer } {
  if ('file' in at) return follow(at.file, site, '')
  if ('script' in at) {
    const value = site.values[kind]?.[at.script]
    if (typeof value !== 'string') throw new Error(`${kind} '${at.script}' is ${JSON.stringify(value)}, not a URL`)
    return follow(value, site, '')
  }
  if ('selector' in at) {
    const { text, folder } = findRule(site, at.selector)
    return follow(pick(urlsInCss(text), at.index ?? 0, `${at.selector} ${text}`), site, folder)
  }
  const value = findAttribute(site, at.element, at.attribute)
  const urls = at.attribute === 'srcset' ? srcsetUrls(value) : at.attribute === 'style' ? urlsInCss(value) : [value]
  return follow(pick(urls, at.index ?? 0, value), site, '')
}

/** The text of a `?raw` import. */
export function textValue({ kind, at }: Expectation, site: BuiltSite): unknown {
  return 'script' in at ? site.values[kind]?.[at.script] : undefined
}

/** The bytes behind a URL of the site. */
export function follow(
  url: string,
  { files }: BuiltSite,
  folder: string,
): { url: string; file?: string; bytes: Buffer } {
  const data = /^data:[^,]*?(;base64)?,([^]*)$/.exec(url)
  if (data !== null) {
    const bytes = data[1] === undefined ? Buffer.from(decodeURIComponent(data[2]!)) : Buffer.from(data[2]!, 'base64')
    return { url, bytes }
  }
  const path = new URL(url, `http://site.test/${folder}`).pathname.slice(1)
  const file = [path, decodeURIComponent(path)].find((candidate) => files.has(candidate))
  if (file === undefined) throw new Error(`'${url}' leads nowhere`)
  return { url, file, bytes: files.get(file)! }
}

function findRule({ files }: BuiltSite, selector: string): { text: string; folder: string } {
  const pattern = new RegExp(String.raw`${selector.replace('.', String.raw`\.`)}\s*\{((?:"[^"]*"|'[^']*'|[^{}"'])*)\}`)
  for (const [file, bytes] of files) {
    if (!/\.(?:css|html|js)$/.test(file)) continue
    const text = pattern.exec(bytes.toString())?.[1]
    const folder = file.endsWith('.css') ? file.replace(/[^/]*$/, '') : ''
    if (text !== undefined) return { text, folder }
  }
  throw new Error(`No emitted stylesheet has a rule for '${selector}'`)
}

function findAttribute({ files, page }: BuiltSite, id: string, attribute: string): string {
  const html = files.get(page ?? '')?.toString() ?? ''
  const tag = [...html.matchAll(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi)].find(([text]) =>
    new RegExp(String.raw`\sid=["']?${id}["'\s/>]`).test(text),
  )?.[0]
  if (tag === undefined) throw new Error(`The page has no element '${id}'`)
  const value = new RegExp(String.raw`\s${attribute}=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`).exec(tag)
  if (value === null) throw new Error(`The element '${id}' has no ${attribute}: ${tag}`)
  return (value[1] ?? value[2] ?? value[3] ?? '')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
}

function urlsInCss(text: string): string[] {
  const urls: string[] = []
  const pattern = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*?))\s*\)|(?<=image-set\([^;}]*)"([^"]*)"(?=\s+[\d.]+x)/g
  for (const [, double, single, bare, string] of text.matchAll(pattern)) {
    urls.push((double ?? single ?? bare ?? string ?? '').replaceAll(/\\([^\da-f])/gi, '$1').replaceAll(/\\20 ?/g, ' '))
  }
  return urls
}

function srcsetUrls(value: string): string[] {
  return [...value.matchAll(/(?:^|,)\s*(data:\S+|[^\s,]\S*?)(?:\s+[\d.]+[wx])?\s*(?=,|$)/g)].map(([, url]) => url!)
}

function pick(urls: readonly string[], index: number, text: string): string {
  const url = urls[index]
  if (url === undefined) throw new Error(`There is no image number ${index + 1} in: ${text}`)
  return url
}
