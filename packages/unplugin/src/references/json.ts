import type { Reference } from './types.ts'

/** A string of JSON that begins like a data URL. One behind a backslash is a quote within another string. */
const DATA_STRING = /(?<!\\)"(?=data:)/gi

/**
 * The strings of a JSON file that are data URLs, whole and written without escapes, as base64 is; names of members are
 * left out.
 */
export function findInJson(json: string): Reference[] {
  const found: Reference[] = []
  for (const { index } of json.matchAll(DATA_STRING)) {
    const start = index + 1
    const end = json.indexOf('"', start)
    if (end === -1) break
    const url = json.slice(start, end)
    if (url.includes('\\') || /^\s*:/.test(json.slice(end + 1, end + 100))) continue
    found.push({ kind: 'json-string', url, start, end, encode: (given) => JSON.stringify(given).slice(1, -1) })
  }
  return found
}
