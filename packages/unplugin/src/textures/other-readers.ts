/**
 * Images that a script gives to something other than a browser: a PDF, a decoder, an e-mail, a social card, a link.
 * Few of these readers support AVIF and WebP.
 */
import { EXTENSION_PATTERN } from '@pixpress/core/internal'

/** Describes what one file gives to other readers. */
export interface Given {
  /** The URLs of images, as they are written. */
  readonly urls: readonly string[]
  /** The names of values; none in a reader, which gives away all images. */
  readonly names: ReadonlySet<string>
  /** `true` for a file that imports a package that reads images. */
  readonly isReader: boolean
  /** The names of the functions and components that a reader exports. */
  readonly exported: readonly string[]
}

/** Packages that read images themselves, or make something other than a page. */
const PACKAGES = [
  // PDF and office documents.
  'jspdf', '@cantoo/pdf-lib', 'pdf-lib', 'pdfkit', 'pdfmake', '@react-pdf/', '@pdfme/', 'exceljs', 'docx', 'pptxgenjs',
  // Social cards.
  'satori', 'satori-html', 'next/og', '@vercel/og', 'workers-og', '@cf-wasm/og', '@takumi-rs/', '@resvg/',
  // Decoders.
  'sharp', 'jimp', '@jimp/', 'canvas', '@napi-rs/canvas', 'skia-canvas', 'pngjs', 'upng-js', 'fast-png', 'jpeg-js',
  '@jsquash/', 'gifuct-js', 'omggif', '@pixi/gif', 'apng-js', 'tesseract.js', 'electron',
  // Feeds and e-mails.
  'rss', 'feed', '@astrojs/rss', 'nodemailer', '@react-email/', 'jsx-email', '@vue-email/', 'mjml', '@faire/mjml-react',
] // prettier-ignore

const READER = new RegExp(
  `(?:\\bfrom|\\bimport|\\brequire)\\s*\\(?\\s*["'\`](?:${PACKAGES.join('|').replaceAll('.', '\\.')})(?:(?<=/)|["'\`/])`,
)
const IMAGE = `(["'\`])([^"'\`\\\\\\n]*?${EXTENSION_PATTERN})(?:[?#][^"'\`\\n]*)?\\1`
const ANY_IMAGE = new RegExp(IMAGE, 'gi')
const FILE_URL = new RegExp(`\\b(?:new\\s+URL|require(?:\\.resolve)?)\\s*\\(\\s*${IMAGE}`, 'gi')
const READS_FILES =
  /["'`](?:node:fs|fs|node:fs\/promises|fs\/promises|fs-extra|graceful-fs)["'`]|\bBun\.file\b|\bDeno\.(?:read|open)/

/** Calls that read the bytes behind a URL or path, save them, or open the URL. */
const CALL =
  /(?:\bfetch|\baxios(?:\.get)?|\breadFile(?:Sync)?|\bcreateReadStream|\bBun\.file|\bDeno\.(?:readFile|open)(?:Sync)?|\bClipboardItem|\bsaveAs|\bwindow\.open|(?:base64|dataur[il]|arraybuffer|blob|bytes)\w*)\s*(?=\()/gi

/** Attributes of links and of the head of a page, as JSX, Svelte, Astro and Vue bind them. */
const ATTRIBUTE = /(?<=\s)(?:(?:href|content|openGraph|twitter)=(?=\{)|(?::|v-bind:)(?:href|content)=")/g
/** The same as keys and properties. */
const KEY =
  /(?<![\w$-])(?:["']?(?:href|content)["']?\s*:(?!:|\s*url\()|["']?(?:og|twitter)Image(?:Url|SecureUrl)?["']?\s*[:=]|["']?(?:openGraph|twitter)["']?\s*:(?=\s*\{)|\bmetadata\b[^=;{}\n]*=(?=\s*\{))|\.href\s*=(?!=)/g
/** An element or object that shows the image, or fetches it in advance. */
const SHOWS = /^<(?:image|use|feImage)\b|\brel["']?\s*[=:]\s*\{?["'](?:preload|prefetch)/i

const CONSTANT = /\b(?:const|let|var)\s+([\w$]+)\s*=([^;\n]*)/g
const EXPORTED = /\bexport\s+(?:default\s+)?(?:async\s+)?(?:function\s*\*?|const|let|class)\s*([\w$]+)/g

/** Characters of an expression, and of the element or object around it, that are looked at. */
const LONGEST = 600

/** Reads what a script or component gives to readers other than browsers. */
export function givenIn(text: string): Given {
  if (READER.test(text)) {
    const exported = [...text.matchAll(EXPORTED)].map(([, name]) => name!)
    return { urls: urlsIn(text, ANY_IMAGE), names: new Set(), isReader: true, exported }
  }
  const values = [
    ...endsOf(text, CALL),
    ...endsOf(text, ATTRIBUTE).filter((at) => !SHOWS.test(around(text, at, '<', '>'))),
    ...endsOf(text, KEY).filter((at) => !SHOWS.test(around(text, at, '{', '}'))),
  ].map((at) => expressionAt(text, at))
  const names = new Set(values.flatMap(namesIn))
  if (names.size > 0) {
    // A constant stands before its use.
    for (const [, name, value] of [...text.matchAll(CONSTANT)].toReversed()) {
      if (!names.has(name!)) continue
      values.push(value!)
      for (const each of namesIn(value!)) names.add(each)
    }
  }
  const urls = urlsIn(READS_FILES.test(text) ? text : values.join('\n'), FILE_URL)
  return { urls, names, isReader: false, exported: [] }
}

const urlsIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, , url]) => url!)

const endsOf = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map(({ index, 0: match }) => index + match.length)

/** Names of an expression. The text of strings is not read, except for the values in a template. */
const namesIn = (expression: string): string[] =>
  expression.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '').match(/[A-Za-z_$][\w$]*/g) ?? []

function around(text: string, at: number, open: string, close: string): string {
  const start = text.lastIndexOf(open, at - 1)
  if (start < at - LONGEST) return ''
  const end = text.indexOf(close, at)
  return text.slice(start, Math.min(end === -1 ? text.length : end, at + LONGEST))
}

/** The expression that begins at an offset: up to the bracket that closes its first one, or its statement. */
function expressionAt(text: string, offset: number): string {
  const start = offset + /^\s*/.exec(text.slice(offset, offset + LONGEST))![0].length
  let depth = 0
  let at = start
  for (; at < text.length && at < start + LONGEST; at++) {
    const character = text[at]!
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth <= 0) break
    else if (depth === 0 && ',;\n"'.includes(character)) break
  }
  return text.slice(start, at)
}
