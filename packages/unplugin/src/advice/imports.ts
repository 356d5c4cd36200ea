import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import { encodeJsString } from '../references/js-string.ts'
import { findNewUrls } from '../references/new-url.ts'
import { attributeOf } from './tags.ts'
import type { OpeningTag } from './tags.ts'
import type { Target, TargetUrl } from './types.ts'

/** `import name from '…'` at the beginning of a line, which the text of comments hardly has. */
const IMPORT = new RegExp(
  String.raw`^[ \t]*import[ \t]+([A-Za-z_$][\w$]*)[ \t]+from[ \t]*(["'])([^"'\n?]+${EXTENSION_PATTERN}(?:\?[^"'\n#]*)?)\2[ \t]*;?`,
  'gim',
)

/** `require('…')` and `import('…')`. */
const CALL = new RegExp(
  String.raw`\b(?:require|import)\s*\(\s*(["'])([^"'\n?]+${EXTENSION_PATTERN}(?:\?[^"'\n#]*)?)\1\s*\)`,
  'gi',
)

/** The images that a script, or the scripts of a component, import. @param tags of the same text */
export function findImportTargets(text: string, tags: readonly OpeningTag[]): Target[] {
  const comments = [...text.matchAll(/\/\*[^]*?(?:\*\/|$)/g)].map(({ index, 0: whole }) => [
    index,
    index + whole.length,
  ])
  const isCode = ({ index }: RegExpExecArray): boolean =>
    !comments.some(([from, to]) => index >= from! && index < to!) && !/^[ \t]*\/\//.test(lineBefore(text, index))
  const named = [...text.matchAll(IMPORT)].filter(isCode).map((match): Target => {
    const { index: start, 0: whole, 1: name = '', 2: quote, 3: url = '' } = match
    const urlStart = start + whole.lastIndexOf(quote + url) + 1
    const tag = shownBy(text, name, tags, { start, end: start + whole.length })
    return {
      kind: 'import',
      urls: [literal(url, urlStart, quote as '"' | "'")],
      statement: { start, end: start + whole.length, name },
      ...(tag !== undefined && { tag }),
    }
  })
  const called = [...text.matchAll(CALL)].filter(isCode).map((match): Target => {
    const { index, 0: whole, 1: quote, 2: url = '' } = match
    return { kind: 'import', urls: [literal(url, index + whole.indexOf(quote + url) + 1, quote as '"' | "'")] }
  })
  const constructed = findNewUrls(text).map((reference): Target => ({ kind: 'html', urls: [reference] }))
  return [...named, ...called, ...constructed]
}

const lineBefore = (text: string, at: number): string => text.slice(text.lastIndexOf('\n', at - 1) + 1, at)

const literal = (url: string, start: number, quote: '"' | "'"): TargetUrl => ({
  url,
  start,
  end: start + url.length,
  encode: (given) => encodeJsString(given, quote),
})

/** The one `<img>` whose `src` is the name alone, where nothing else uses it. */
function shownBy(
  text: string,
  name: string,
  tags: readonly OpeningTag[],
  statement: { start: number; end: number },
): OpeningTag | undefined {
  const word = new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'g')
  const uses = [...text.matchAll(word)].filter(({ index }) => index < statement.start || index >= statement.end)
  if (uses.length !== 1) return undefined
  return tags.find((tag) => {
    if (tag.name !== 'img') return false
    const source = attributeOf(tag, 'src') ?? attributeOf(tag, ':src') ?? attributeOf(tag, 'v-bind:src')
    return source !== undefined && isName(source.value ?? '', name, source.quote, source.name)
  })
}

function isName(value: string, name: string, quote: string, attribute: string): boolean {
  const isBound = /^(?:v-bind)?:/.test(attribute)
  return quote === '{' ? value.slice(1, -1).trim() === name : isBound && value.trim() === name
}
