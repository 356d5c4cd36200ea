import { readFileSync } from 'node:fs'
import { PixpressError } from '@pixpress/core'
import { keyId, parseKey } from '../accounts/keys.ts'
import type { AccountKey } from '../accounts/keys.ts'
import type { KeyTerms } from '../storage/contract.ts'
import { assertTermWord, parseTerms, withoutNulls } from './key-terms.ts'
import type { TermWord } from './key-terms.ts'

/** The content of a keys file. */
export interface KeysFile {
  readonly keys: readonly AccountKey[]
  /** The terms of keys that say nothing themselves, in the place of the server's flags. */
  readonly defaults: Pick<KeyTerms, 'monthlyLimit' | 'rate'>
}

/** The word of the line of defaults, and what can stand in it. */
const DEFAULTS = '*'
const OF_DEFAULTS: ReadonlySet<string> = new Set<TermWord>(['monthly-limit', 'rate'])

/**
 * Reads a file of keys. Each line has one, plain or hashed, and what holds for it; `#` begins a comment:
 *
 *     * monthly-limit=10000 rate=50/s
 *     shop=sha256:9f86d0… monthly-limit=500 expires=2030-01-31 operations=shrink,resize
 *
 * @param option how messages call the setting
 * @throws PixpressError `IO_FAILED` when the file cannot be read, `INVALID_OPTION` with the number of a faulty line,
 * without what stands there
 */
export function readKeysFile(option: string, file: string): KeysFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new PixpressError('IO_FAILED', `The file of '${option}', ${file}, cannot be read.`, { cause: error })
  }
  return parseKeysFile(file, text)
}

/** Parses the text of a keys file. @throws PixpressError `INVALID_OPTION` with the number of a faulty line */
export function parseKeysFile(file: string, text: string): KeysFile {
  const keys: AccountKey[] = []
  const lines = new Map<string, number>()
  let defaults: KeysFile['defaults'] | undefined
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.split(/\s+/).filter((word) => word !== '')
    const comment = words.findIndex((word) => word.startsWith('#'))
    const [first, ...terms] = comment === -1 ? words : words.slice(0, comment)
    if (first === undefined) continue
    const where = `line ${index + 1} of ${file}`
    if (first === DEFAULTS) {
      if (defaults !== undefined) throw faulty(`There is a second line of defaults ('*') in ${where}.`)
      defaults = parseDefaults(terms, where)
      continue
    }
    const key = parseKey(first, where)
    const id = keyId(key.hash)
    const before = lines.get(id)
    if (before !== undefined) throw faulty(`The key in ${where} stands in line ${before} already.`)
    lines.set(id, index + 1)
    keys.push({ ...key, terms: termsOf(terms, where) })
  }
  return { keys, defaults: defaults ?? {} }
}

function parseDefaults(words: readonly string[], where: string): KeysFile['defaults'] {
  const other = words.find((word) => !OF_DEFAULTS.has(wordOf(word)))
  if (other === undefined) return termsOf(words, where)
  throw faulty(`Expected 'monthly-limit=…' and 'rate=…' alone after '*' in ${where}.`)
}

function termsOf(words: readonly string[], where: string): KeyTerms {
  const given: Partial<Record<TermWord, string>> = {}
  for (const word of words) {
    const name = wordOf(word)
    // The word itself is not shown: it may be the second half of a key with a space in it.
    if (!word.includes('=')) throw faulty(`Expected words such as 'rate=100/s' after the key in ${where}.`)
    assertTermWord(name, where)
    if (given[name] !== undefined) throw faulty(`'${name}' stands twice in ${where}.`)
    given[name] = word.slice(name.length + 1)
  }
  return withoutNulls(parseTerms(given, (name) => `${name}' in '${where}`))
}

const wordOf = (word: string): string => word.split('=', 1)[0]!

const faulty = (message: string): PixpressError => new PixpressError('INVALID_OPTION', message)
