import type { AdviceEdit, Wish } from './types.ts'
import { attributeOf } from './tags.ts'
import type { OpeningTag } from './tags.ts'

/** How a language writes attributes. */
export type MarkupLanguage = 'html' | 'jsx'

/** An attribute that is to be written: text, or the name of a variable. */
export type WantedAttribute = string | null | { readonly variable: string }

const JSX_NAMES: Readonly<Record<string, string>> = { srcset: 'srcSet', fetchpriority: 'fetchPriority' }

/** JSX is written in scripts, and React's names of attributes with it. */
export const languageOf = (file: string): MarkupLanguage => (/\.(?:[cm]?[jt]sx?|mdx)$/i.test(file) ? 'jsx' : 'html')

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** `srcset="…"`, as a file of this name has it. */
export function renderAttribute(name: string, value: Exclude<WantedAttribute, null>, file: string): string {
  const written = languageOf(file) === 'jsx' ? (JSX_NAMES[name] ?? name) : name
  if (typeof value === 'string') return `${written}="${escaped(value)}"`
  return /\.vue$/i.test(file) ? `:${name}="${value.variable}"` : `${written}={${value.variable}}`
}

/**
 * Edits that give a tag its attributes; `undefined` where one of them is computed, so that nobody knows what it says.
 * @param wanted by their names in HTML
 */
export function attributeEdits(
  tag: OpeningTag,
  wanted: Readonly<Record<string, WantedAttribute>>,
  file: string,
  text: string,
): AdviceEdit[] | undefined {
  const edits: AdviceEdit[] = []
  const added: string[] = []
  for (const [name, value] of Object.entries(wanted)) {
    if (attributeOf(tag, `:${name}`) !== undefined || attributeOf(tag, `v-bind:${name}`) !== undefined) return undefined
    const present = attributeOf(tag, name)
    if (present?.quote === '{' && name !== 'srcset') return undefined
    if (value === null) {
      // With the white space before it.
      const before = /\s*$/.exec(text.slice(0, present?.start ?? 0))![0].length
      if (present !== undefined) edits.push({ start: present.start - before, end: present.end, text: '' })
    } else if (present === undefined) added.push(renderAttribute(name, value, file))
    else edits.push({ start: present.start, end: present.end, text: renderAttribute(name, value, file) })
  }
  if (added.length > 0) {
    const at = tag.start + 1 + tag.name.length
    const source = attributeOf(tag, 'src') ?? attributeOf(tag, ':src') ?? attributeOf(tag, 'v-bind:src')
    const end = source?.end ?? at
    edits.push({ start: end, end, text: ` ${added.join(' ')}` })
  }
  return edits
}

/** The attributes of a wish that a language can have: JSX writes `style` as an object. */
export function writableAttributes(
  { attributes = {} }: Wish,
  tag: OpeningTag,
  file: string,
): Record<string, WantedAttribute> {
  const { style, ...others } = attributes
  if (style === undefined || style === null) return { ...others }
  const own = attributeOf(tag, 'style')?.value
  if (languageOf(file) === 'html')
    return { ...others, style: own === undefined ? style : `${own.replace(/;?\s*$/, '')}; ${style}` }
  if (own !== undefined) return {}
  const members = style.split(';').map((each) => each.split(':').map((part) => part.trim()) as [string, string])
  const object = members.map(([name, value]) => `${camel(name)}: '${value}'`).join(', ')
  return { ...others, style: { variable: `{ ${object} }` } }
}

const camel = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
