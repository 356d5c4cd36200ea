import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ImageQuery } from '../directives/query.ts'

/** Folders of projects, and whether TypeScript is configured there. */
const configured = new Map<string, boolean>()

/**
 * Returns a note about an import that the shipped types take for a string, as they see the end of a query alone.
 * TypeScript itself reports the endings that they do not know.
 */
export function mistaken(
  { text, directives }: Pick<ImageQuery, 'text' | 'directives'>,
  root: string,
): readonly [name: string, sentence: string] | undefined {
  const [shape] = directives.get('as') ?? []
  if (shape === undefined || shape === 'url' || !/[=;](?:\d+|[a-z]+)$/.test(text) || /[?&]as=[^&]*$/.test(text)) {
    return undefined
  }
  const isTyped = configured.get(root) ?? existsSync(path.join(root, 'tsconfig.json'))
  configured.set(root, isTyped)
  if (!isTyped) return undefined
  const rest = text
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => !part.startsWith('as='))
  const better = `?${[...rest, `as=${shape}`].join('&')}`
  const sentence = `The types of 'unplugin-pixpress/client' take '${text}' for a string. Write '${better}', or name a file in the option 'types'.`
  return [`types ${text}`, sentence]
}
