import { findInHtml } from '../references/html.ts'
import { findInStylesheet } from '../references/css.ts'
import type { StylesheetSyntax } from '../references/css-tokens.ts'
import type { Reference } from '../references/types.ts'
import { findImportTargets } from './imports.ts'
import { findTags } from './tags.ts'
import type { OpeningTag } from './tags.ts'
import type { Target } from './types.ts'

const PAGE = /\.html?$/i
const STYLESHEET = /\.(css|scss|sass|less|styl)$/i
const SCRIPT = /\.(?:[cm]?[jt]sx?|mdx)$/i
const COMPONENT = /\.(vue|svelte|astro)$/i

/** Languages of templates that a server, or a generator of pages, fills in. */
const TEMPLATE =
  /\.(?:ejs|erb|hbs|handlebars|mustache|njk|nunjucks|liquid|php|twig|jinja2?|j2|tmpl|gohtml|eta|pug|cshtml|jsp)$/i

/** Marks of the same in a page: front matter, `{{ }}`, `{% %}`, `<% %>`, `<?php ?>`. */
const MARKS = /^---\r?\n|\{\{|\{%|<%|<\?(?:php|=)/

/** Tells whether a server or a generator fills in a text before anybody sees it. */
const isTemplateText = (file: string, text: string): boolean =>
  TEMPLATE.test(file) || (PAGE.test(file) && MARKS.test(text))

/**
 * The places of a text that refer to images, as the build reads them. Nothing is resolved: which file a URL means is
 * the caller's to find. Never throws.
 * @param file its name, which says the language
 */
export function findTargets(file: string, text: string): Target[] {
  const [, style] = STYLESHEET.exec(file) ?? []
  if (style !== undefined) return ofStylesheet(text, syntaxOf(style))
  if (isTemplateText(file, text)) return ofPage(text).map((target) => ({ ...target, kind: 'template' }))
  if (PAGE.test(file)) return ofPage(text)
  const [, component] = COMPONENT.exec(file) ?? []
  if (component !== undefined) return ofComponent(text, component.toLowerCase() === 'vue')
  return SCRIPT.test(file) ? findImportTargets(text, findTags(text)) : []
}

/**
 * The elements of a component that show whatever image they are given; those that an import's own target has are not
 * among them.
 */
export function findElements(file: string, text: string): Target[] {
  if (!COMPONENT.test(file) && !SCRIPT.test(file)) return []
  const owned = new Set(findTargets(file, text).map(({ tag }) => tag?.start))
  return findTags(text)
    .filter((tag) => tag.name === 'img' && !owned.has(tag.start) && isBound(tag))
    .map((tag) => ({ kind: 'element', urls: [], tag }))
}

const isBound = ({ attributes }: OpeningTag): boolean =>
  attributes.some(({ name, quote }) => /^(?:v-bind)?:src$/.test(name) || (name === 'src' && quote === '{'))

const syntaxOf = (extension: string): StylesheetSyntax => {
  const lower = extension.toLowerCase()
  return lower === 'styl' ? 'stylus' : (lower as StylesheetSyntax)
}

const ofStylesheet = (text: string, syntax: StylesheetSyntax): Target[] =>
  findInStylesheet(text, { syntax }).map((reference) => ({ kind: 'css', urls: [reference] }))

function ofPage(text: string): Target[] {
  const references = findInHtml(text)
  const styles = references.filter(({ kind }) => kind === 'html-style')
  const others = references.filter(({ kind }) => kind === 'html-src' || kind === 'html-srcset')
  return [...inTags(others, findTags(text)), ...styles.map((each): Target => ({ kind: 'css', urls: [each] }))]
}

/** Vue's compiler resolves URLs of templates; those of Svelte and Astro stay as they are. */
function ofComponent(text: string, resolvesTemplates: boolean): Target[] {
  const tags = findTags(text)
  const page = ofPage(text).filter(({ kind }) => kind === 'css' || resolvesTemplates)
  return [...findImportTargets(text, tags), ...page]
}

/** References of one image in one `<img>` belong together. */
function inTags(references: readonly Reference[], tags: readonly OpeningTag[]): Target[] {
  const byTag = new Map<OpeningTag, Reference[]>()
  const alone: Target[] = []
  for (const reference of references) {
    const tag = tags.find(({ start, end }) => start < reference.start && reference.end < end)
    if (tag?.name === 'img') byTag.set(tag, [...(byTag.get(tag) ?? []), reference])
    else alone.push({ kind: 'html', urls: [withAttribute(reference, tag)] })
  }
  const shown = [...byTag].map(([tag, each]): Target => ({
    kind: 'html',
    urls: each.map((one) => withAttribute(one, tag)),
    tag,
  }))
  return [...shown, ...alone]
}

const withAttribute = (reference: Reference, tag: OpeningTag | undefined): Target['urls'][number] => {
  const holder = tag?.attributes.find(({ start, end }) => start < reference.start && reference.end <= end)
  return { ...reference, ...(holder !== undefined && { attribute: holder.name.toLowerCase() }) }
}
