import type { Operation } from './row.ts'
import { invalidOption } from '../base/errors.ts'
import type { Flags } from '../options/flags.ts'
import { code, listed, oneOf } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { PRESERVE_ITEMS } from '../base/values.ts'
import type { PreserveItem } from '../base/values.ts'

const ITEM = oneOf(PRESERVE_ITEMS)

/** Parses a list into the order of `PRESERVE_ITEMS`, without repeats. */
const PRESERVE: Parser<readonly PreserveItem[]> = {
  schema: { type: 'array', items: ITEM.schema },
  parse(value, option) {
    if (!Array.isArray(value)) throw invalidOption(option, `a list of ${listed(PRESERVE_ITEMS)}`, value)
    const items = new Set(value.map((item: unknown) => ITEM.parse(item, option)))
    return PRESERVE_ITEMS.filter((item) => items.has(item))
  },
}

const PRESERVE_FLAGS: Flags = {
  preserve: {
    value: 'ITEMS',
    description: `metadata to keep, with commas: ${code(PRESERVE_ITEMS)}`,
    choices: PRESERVE_ITEMS,
    commas: true,
  },
}

/** Parses one list, separated by commas so that it cannot be taken for alternatives; `none` is the empty one. */
function preserveFromQuery(text: string, option: string): readonly PreserveItem[] {
  if (text === 'none') return []
  if (text.includes(';')) {
    const example = `preserve=${text.replaceAll(';', ',')}`
    throw invalidOption(option, 'one list separated by commas', text, `Write '${example}'.`)
  }
  const items = text.split(',').map((item) => item.trim())
  return PRESERVE.parse(items, option)
}

interface PreserveOperation {
  /**
   * Metadata to keep; everything else is dropped. With `provenance`, a file with content credentials (C2PA) stays byte
   * for byte unless its picture or type is to be changed.
   */
  preserve?: readonly PreserveItem[]
}

interface ResolvedPreserve {
  /** Sorted, without repeats. */
  readonly preserve: readonly PreserveItem[]
}

interface PreserveDirective {
  /** One list, no alternatives. */
  preserve: readonly PreserveItem[]
}

/** Keeps metadata. */
export const preserve: Operation<PreserveOperation, readonly PreserveItem[], ResolvedPreserve, PreserveDirective> = {
  place: 4,
  parser: PRESERVE,
  resolved: (items = []) => ({ preserve: items }),
  shownDefault: '`[]`',
  doc: "metadata to keep: `'copyright'`, `'creation'`, `'location'`; with `'provenance'`, files with content credentials (C2PA) stay byte for byte. Everything else is dropped",
  flags: PRESERVE_FLAGS,
  fromFlags: ({ preserve: text }) => text?.split(',') as PreserveItem[] | undefined,
  directive: {
    word: 'preserve',
    doc: `${code(PRESERVE_ITEMS)}, several with \`,\`; \`none\``,
    alternatives: false,
    read: preserveFromQuery,
  },
}
