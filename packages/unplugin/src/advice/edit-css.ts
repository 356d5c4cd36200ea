import { NOTHING, wishPartsOf } from './edit-element.ts'
import type { PlaceEdit } from './edit-element.ts'
import { askFor, isWideAlready } from './queries.ts'
import type { Target, Wish } from './types.ts'

/** Share of the widest file below which a narrower window gets a file of its own. */
const NARROWER = 0.75

/**
 * Gives what becomes of a `url()`: the widest width that any window needs, and in plain CSS, for windows that need
 * clearly less, the same rule again inside of `@media`.
 */
export function editStylesheet(file: string, text: string, target: Target, wish: Wish): PlaceEdit {
  const [place] = target.urls
  const { widths, format, windows = [] } = wish
  if (place === undefined || (widths === undefined && format === undefined)) return NOTHING
  const isWhole = isWideAlready(place.url, wish)
  const url = askFor(place.url, { widths: isWhole ? undefined : widths, format })
  if (url === undefined) return NOTHING
  const narrow = narrowerWindows(windows)
  const rule =
    narrow.length > 0 && /\.(?:css|html?|vue|svelte)$/i.test(file) ? ruleAround(text, place.start) : undefined
  if (isWhole && rule === undefined && format === undefined) return NOTHING
  const rules = rule === undefined ? [] : narrow.map((each) => mediaRule(rule, each, place.url, format))
  const indent = rule === undefined ? '' : lineIndent(text, rule.start)
  return {
    edits: [
      ...(url === place.url ? [] : [{ start: place.start, end: place.end, text: place.encode(url) }]),
      ...(rules.length === 0
        ? []
        : [{ start: rule!.end, end: rule!.end, text: rules.map((each) => `\n${indent}${each.text}`).join('') }]),
    ],
    written: [...(url === place.url ? [] : [`url("${url}")`]), ...rules.map(({ text: each }) => each)],
    ...wishPartsOf(wish, {
      widths: rules.length > 0 || (!isWhole && narrow.length === 0) ? true : isWhole ? false : 'part',
      sizes: false,
      format: true,
      attributes: false,
    }),
    urls: [url, ...rules.map((each) => each.url)].map((each) => ({ url: each, isOneUrl: true })),
    attributes: {},
  }
}

/** Windows that need clearly less than the widest, the widest of them first, as the last rule that matches wins. */
function narrowerWindows(windows: NonNullable<Wish['windows']>): NonNullable<Wish['windows']> {
  const widest = new Map<number, number>()
  for (const { window, width } of windows) widest.set(window, Math.max(width, widest.get(window) ?? 0))
  const steps = [...widest].map(([window, width]) => ({ window, width })).toSorted((a, b) => b.window - a.window)
  const kept: { window: number; width: number }[] = []
  let last = Math.max(0, ...steps.map(({ width }) => width))
  for (const [at, step] of steps.entries()) {
    // A rule for a window is for all narrower ones too.
    const width = Math.max(...steps.slice(at).map((each) => each.width))
    if (width > last * NARROWER) continue
    kept.push({ window: step.window, width })
    last = width
  }
  return kept
}

interface Rule {
  readonly selector: string
  readonly start: number
  readonly end: number
  readonly isImportant: boolean
}

function mediaRule(
  { selector, isImportant }: Rule,
  { window, width }: { window: number; width: number },
  place: string,
  format: Wish['format'],
): { text: string; url: string } {
  const url = askFor(place, { widths: [width], format })!
  const important = isImportant ? ' !important' : ''
  return {
    url,
    text: `@media (max-width: ${window}px) { ${selector} { background-image: url("${url}")${important} } }`,
  }
}

/**
 * The rule of a stylesheet that a `url()` stands in, where its declaration is a background of this image alone, and
 * nothing in the selector or the nesting makes a copy mean something else.
 */
function ruleAround(text: string, at: number): Rule | undefined {
  const open = openBrace(text, at)
  if (open === undefined) return undefined
  const close = text.indexOf('}', at)
  const inside = text.slice(open + 1, at)
  const declaration = inside.slice(inside.lastIndexOf(';') + 1) + text.slice(at, endOfDeclaration(text, at))
  const [, value] = /^\s*(?:\/\*[^]*?\*\/\s*)*background(?:-image)?\s*:([^]*)$/i.exec(declaration) ?? []
  if (close === -1 || value === undefined || value.includes(',') || text.slice(at, close).includes('{'))
    return undefined
  const before = text.slice(0, open)
  const head = Math.max(...['}', '{', ';', '*/', '>'].map((mark) => startAfter(before, mark)))
  const selector = before.slice(head).trim()
  if (selector === '' || /[@&]|:(?:root|host)/.test(selector)) return undefined
  const start = head + before.slice(head).search(/\S/)
  return {
    selector: selector.replaceAll(/\s+/g, ' '),
    start,
    end: close + 1,
    isImportant: /!\s*important/i.test(value),
  }
}

function startAfter(text: string, mark: string): number {
  // A `>` of a selector has spaces around it, or a name before it; that of a `<style>` tag ends a line or a tag.
  if (mark === '>') {
    const tags = [...text.matchAll(/<style\b[^>]*>/gi)].at(-1)
    return tags === undefined ? 0 : tags.index + tags[0].length
  }
  const at = text.lastIndexOf(mark)
  return at === -1 ? 0 : at + mark.length
}

/** The brace that is open at an offset; `undefined` where a rule is inside of another rule. */
function openBrace(text: string, at: number): number | undefined {
  const open = text.lastIndexOf('{', at)
  return open === -1 || text.slice(open, at).includes('}') ? undefined : open
}

function endOfDeclaration(text: string, at: number): number {
  const ends = [text.indexOf(';', at), text.indexOf('}', at)].filter((each) => each !== -1)
  return Math.min(...ends, text.length)
}

const lineIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))![0]
