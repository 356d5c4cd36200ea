import { editStylesheet } from './edit-css.ts'
import { NOTHING, editElement } from './edit-element.ts'
import type { PlaceEdit } from './edit-element.ts'
import { editImport } from './edit-import.ts'
import { findTargets } from './find-targets.ts'
import { isTaken } from './queries.ts'
import { attributeOf, findTags } from './tags.ts'
import type { OpeningTag } from './tags.ts'
import type { Advice, AdviceEdit, Target, Wish } from './types.ts'

/**
 * Gives what to write so that a place gets what is wished for it. Whatever is written has been read by the parsers of
 * the build: the one that finds references in this kind of text, and the one of directives. Edits that they do not take
 * is not advised.
 * @param file its name, which says the language
 * @param target of `findTargets`, with `kind` `public` where its image is copied as it is
 */
export function adviseOn(file: string, text: string, target: Target, wish: Wish): Advice | undefined {
  const { kind } = target
  const made = editOf(file, text, target, wish)
  const { start = 0 } = target.urls[0] ?? target.tag ?? {}
  const line = text.slice(0, start).split('\n').length
  if (made.written.length === 0 || !isReadBack(file, text, target, made)) return undefined
  const { done, left, written } = made
  return {
    kind,
    line,
    text: `write ${written.join(' and ')}`,
    edits: kind === 'template' ? [] : made.edits,
    done,
    left,
  }
}

function editOf(file: string, text: string, target: Target, wish: Wish): PlaceEdit {
  if (target.kind === 'css') return editStylesheet(file, text, target, wish)
  if (target.kind === 'import') return editImport(file, text, target, wish)
  // No parser of ours reads a template before it is filled in, so that its own marks may not change.
  if (target.kind === 'template' && target.tag === undefined) return NOTHING
  return editElement(file, text, target, wish)
}

/** The text with edits made, which must not overlap. */
export function withEdits(text: string, edits: readonly AdviceEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((edited, { start, end, text: by }) => edited.slice(0, start) + by + edited.slice(end), text)
}

/** Tells whether the build's own parsers find in the edited text what was meant. */
function isReadBack(file: string, text: string, target: Target, { edits, urls, attributes }: PlaceEdit): boolean {
  const edited = withEdits(text, edits)
  const found = findTargets(file, edited).flatMap((each) => each.urls.map(({ url }) => url))
  const isEveryUrl = urls.every(({ url, isOneUrl }) => found.includes(url) && isTaken(url, isOneUrl))
  if (!isEveryUrl) return false
  const { tag } = target
  if (tag === undefined) return Object.keys(attributes).length === 0
  const moved = edits
    .filter(({ end }) => end <= tag.start)
    .reduce((sum, each) => sum + each.text.length - (each.end - each.start), 0)
  const after = findTags(edited).find(({ start }) => start === tag.start + moved)
  return after !== undefined && Object.entries(attributes).every(([name, value]) => hasAttribute(after, name, value))
}

function hasAttribute(tag: OpeningTag, name: string, value: PlaceEdit['attributes'][string]): boolean {
  if (value === null) return attributeOf(tag, name) === undefined
  if (typeof value === 'string') return decoded(attributeOf(tag, name)?.value ?? '') === value
  const bound = attributeOf(tag, name) ?? attributeOf(tag, `:${name}`)
  return bound?.value?.includes(value.variable) === true
}

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
