import { mentionsInData } from './data-mentions.ts'
import type { Mention, MentionKind, ReadAs } from './reading.ts'

/** Holds what a path of a PNG is made of in text that is no program: of a name with spaces only its last part. */
const IN_PATH = /[^\s"'`(),<>|;=]/
/** In models, which hold paths of the machine that made them, with spaces. */
const IN_MODEL_PATH = /[\w .%()@+:\\/-]/
/** Characters of a path. A longer path is data. */
const LONGEST_PATH = 500
const CSS_URL = /url\(\s*(["']?)([^"')]+?\.png)(?:[?#][^"')]*)?\1\s*\)/gi
const STRING = /(["'`])((?:\\.|(?!\1)[^\\\n])*?\.png)(?:[?#][^"'`\n]*)?\1/gi

/** The attributes that show an image. In scripts they have no white space around `=`, as assignments do. */
export const ATTRIBUTES = '(?:src|srcset|imagesrcset|href|poster|content|data-src|data-srcset|data-bg)'
const PAGE_ATTRIBUTE = new RegExp(`(?<![\\w.$-])(?:[a-z-]+:)?${ATTRIBUTES}\\s*=\\s*(["'\`{])`, 'gi')
const JSX_ATTRIBUTE = new RegExp(`(?<=\\s)${ATTRIBUTES}=(["'{])`, 'gi')

/** Elements of A-Frame are textures, and what a page fetches in advance is not shown by that. */
const NOT_SHOWN =
  /<!--[\s\S]*?-->|<a-assets\b[\s\S]*?<\/a-assets>|<a-[a-z-]+\b[^>]*>|<link\b[^>]*\brel=["']?(?:preload|prefetch|modulepreload)\b[^>]*>/gi

/**
 * The end of what stands before the parenthesis of a call that makes textures: loaders of three.js and Babylon.js,
 * Phaser's, PixiJS', hooks, and constructors.
 */
export const LOADS: RegExp =
  /(?:\.load(?:Async)?|\.load\.\w+|\w*texture\w*(?:\.\w+)?|\bSprite\.\w+|\bAssets\.\w+|\buseLoader|\bload\w*(?:sprite|atlas|sheet)\w*|\bImageSource)\s*(?:<[^()]*>)?$/i
/** The most characters of it that are looked at. */
export const LONGEST_CALLEE = 60

/** Gives what a text of the project says of PNGs. */
export function mentionsIn(text: string, as: ReadAs, extension: string): Mention[] {
  if (!/\.png/i.test(text)) return []
  switch (as) {
    case 'style':
      return urlsOfStyles(text)
    case 'page':
      return inPage(spelledOut(text), extension)
    case 'script':
      return inScript(spelledOut(text))
    case 'data':
      return mentionsInData(text)
    case 'model':
      return all(text, IN_MODEL_PATH, 'model')
    default:
      return all(text, IN_PATH, as)
  }
}

/** Expressions in URLs as `*`: those of templates, and what is put together with `+`. */
function spelledOut(text: string): string {
  return text
    .replaceAll(/\$\{[^{}]*\}|\{\{[^{}]*\}\}|<%[^%]*%>|%[A-Z_]+%/g, '*')
    .replaceAll(/(["'])([^"'\n]*)\1\s*\+\s*[\w.$()[\]]+\s*\+\s*(["'])([^"'\n]*\.png)\3/gi, '$1$2*$4$1')
}

function inPage(page: string, extension: string): Mention[] {
  const front = /^---\r?\n[\s\S]*?\n---/.exec(page)?.[0] ?? ''
  const rest = page.slice(front.length)
  const scripts: string[] = extension === 'astro' ? [front] : []
  const markup = rest
    .replaceAll(NOT_SHOWN, ' ')
    .replaceAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/gi, (_, tag: string, script: string) => {
      scripts.push(script)
      return tag
    })
  return [
    ...scripts.flatMap(inScript),
    ...(extension === 'astro' ? [] : all(front, IN_PATH, 'shown')),
    ...attributes(markup, PAGE_ATTRIBUTE),
    // `![text](image.png)` of Markdown.
    ...[...markup.matchAll(/\]\(\s*<?([^)\s>]+\.png)/gi)].map(([, url]) => shown(url!)),
    ...urlsOfStyles(markup),
  ]
}

function inScript(script: string): Mention[] {
  const calls = [...script.matchAll(STRING)].filter(({ index }) => LOADS.test(calleeBefore(script, index)))
  return [
    ...calls.map(([, , url]): Mention => ({ url: url!, kind: 'loader' })),
    ...attributes(script.replaceAll(NOT_SHOWN, ' '), JSX_ATTRIBUTE),
    ...urlsOfStyles(script),
  ]
}

/** Gives what is called with what stands at `index`: the text before the parenthesis that is open there. */
function calleeBefore(script: string, index: number): string {
  let closed = 0
  for (let at = index - 1; at >= Math.max(0, index - 400); at--) {
    const character = script[at]
    if (character === ';' && closed === 0) return ''
    if (character === ')') closed++
    else if (character === '(' && closed-- === 0) return script.slice(Math.max(0, at - LONGEST_CALLEE), at)
  }
  return ''
}

function attributes(text: string, pattern: RegExp): Mention[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = valueFrom(text, match.index + match[0].length, match[1]!)
    // A name with spaces is one URL, except among several.
    if (match[1] !== '{' && /^[^,"'`]+\.png$/i.test(value.trim())) return [shown(value.trim())]
    return all(value, IN_PATH, 'shown')
  })
}

/** The value of an attribute that begins at `start`, behind the quote or brace that opens it. */
function valueFrom(text: string, start: number, opening: string): string {
  const window = text.slice(start, start + 2000)
  if (opening !== '{') return window.split(opening, 1)[0]!
  let depth = 1
  for (let at = 0; at < window.length; at++) {
    if (window[at] === '{') depth++
    else if (window[at] === '}' && --depth === 0) return depthless(window.slice(0, at))
  }
  return ''
}

/** Svelte's `{base}` inside of a value. */
const depthless = (value: string): string => value.replaceAll(/\{[^{}]*\}/g, '*')

const urlsOfStyles = (text: string): Mention[] => [...text.matchAll(CSS_URL)].map(([, , url]) => shown(url!))

const shown = (url: string): Mention => ({ url: depthless(url), kind: 'shown' })

/**
 * Every path of a PNG, from its end backwards: forwards, a megabyte of Base64 would be read from each of its characters
 * on.
 */
function all(text: string, inPath: RegExp, kind: MentionKind): Mention[] {
  return [...text.matchAll(/\.png/gi)].flatMap(({ index }) => {
    let start = index
    while (start > 0 && index - start < LONGEST_PATH && inPath.test(text[start - 1]!)) start--
    return start === index ? [] : [{ url: depthless(text.slice(start, index)) + '.png', kind }]
  })
}
